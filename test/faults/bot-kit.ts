// What the fixture bots share: marks that are counted afterwards, and steps at which the suite may strike.

import type {Context} from '../../src/bot/context/context.js';

/** Where bots send what does not belong into the conversation. */
export const ELSEWHERE = {channel: 'lunch', topic: 'elsewhere'};

/** Unique in all the realm: `[f0123.1]`. */
export function mark(ctx: Context, what: string): string {
	return `[${tokenOf(ctx)}.${what}]`;
}

/** Tells the suite where the handler stands; on a first run it may be killed there, or frozen. True on a first run. */
export async function reachStep(ctx: Context, step: string): Promise<boolean> {
	return (await tell(ctx, step)) === 'first';
}

/** Runs what takes long, and has the suite know: a delivery that is broken off three times is parked, as it should be. */
export async function runWatched(ctx: Context, work: () => Promise<void>): Promise<void> {
	await tell(ctx, 'begin');
	await work();
	await tell(ctx, 'done');
}

async function tell(ctx: Context, step: string): Promise<string> {
	const query = new URLSearchParams({token: tokenOf(ctx), step, pid: String(process.pid)});
	const response = await fetch(`${process.env.FAULTS_URL}/step?${query}`);
	return response.text();
}

function tokenOf(ctx: Context): string {
	return /f\d{4}/.exec(ctx.text)?.[0] ?? 'none';
}
