// Decides what needs attention, from the state of all parts. Does not use Redis or the terminal.

import {duration} from '../duration.js';
import {countOf} from '../ledger/shown.js';
import {type Finding, REFUSED} from './check-account.js';
import {type AccountStanding, percentile, type QueueState, type Standing} from './standing.js';
import {wrongTokenAt} from './standing-script.js';
import {Trouble} from './troubles.js';

/** A worker sweeps every few seconds, for the first time a lease after it started. */
const SWEPT_MS = 30_000;

/** What works and what does not, of the workers that all accounts share. */
export function judgeWorkers(standing: Omit<Standing, 'accounts'>): Finding[] {
	return [...standing.queues.flatMap(judgeQueue), judgeSweep(standing)];
}

/** Whether a process accepts webhooks, if an account gets any. */
export function judgeReceivers({processes, accounts}: Pick<Standing, 'processes' | 'accounts'>): Finding[] {
	const about = 'Receivers';
	const count = processes.filter(({roles}) => roles.includes('web')).length;
	if (count > 0) {
		return [{status: 'ok', about, text: `${count} \`bothy web\` ${agree('accept', count)} webhooks`}];
	}

	const isNeeded = accounts.some(({account: {tokens, receive}}) => tokens.length > 0 && receive !== 'events');
	const cure = 'Run `bothy web`. If it ends, its log says why.';
	return isNeeded ? [{status: 'error', about, text: 'no process accepts webhooks', cure}] : [];
}

/** `1 runs`, `2 run`. */
function agree(verb: string, count: number): string {
	return count === 1 ? verb.replace(/^\w+/, '$&s') : verb;
}

const WORK: Readonly<Record<string, {about: string; works: string; lacks: string; cure: string}>> = {
	sends: {about: 'Workers', works: 'post messages', lacks: 'none posts messages', cure: 'Run `bothy worker`.'},
	'background-deliveries': {
		about: 'Reruns',
		works: 'run lost deliveries and crons',
		lacks: 'no process runs lost deliveries or crons',
		cure: 'Run `bothy web`.',
	},
};

function judgeQueue({name, workers, isNeeded, oldestAt}: QueueState): Finding[] {
	const {about, works, lacks, cure} = WORK[name] ?? {
		about: `Workers of ${name}`,
		works: 'run',
		lacks: `none runs, and jobs wait`,
		cure: `Run \`bothy worker ${name}\`, or \`bothy worker\` with all roles.`,
	};
	if (workers > 0) {
		return [{status: 'ok', about, text: `${workers} ${agree(works, workers)}`}];
	}

	const since = oldestAt === undefined ? {} : {since: oldestAt};
	return isNeeded ? [{status: 'error', kind: 'no-worker', about, text: lacks, cure, ...since}] : [];
}

function judgeSweep({sweptAt, now, processes}: Omit<Standing, 'accounts'>): Finding {
	const about = 'Sweep';
	const sweepers = processes.filter(({roles}) => roles.includes('sweep')).map(({startedAt}) => startedAt);
	const hasJustStarted = sweepers.length > 0 && now - Math.min(...sweepers) < SWEPT_MS;
	if (hasJustStarted && (sweptAt === undefined || now - sweptAt >= SWEPT_MS)) {
		return {status: 'ok', about, text: 'a worker has just started; its first sweep for lost work is due'};
	}

	if (sweptAt === undefined) {
		return {...UNSWEPT, about, text: 'no worker has ever swept for lost work'};
	}

	const text = `the last sweep for lost work was ${duration(now - sweptAt)} ago`;
	return now - sweptAt < SWEPT_MS ? {status: 'ok', about, text} : {...UNSWEPT, about, text, since: sweptAt};
}

const UNSWEPT = {
	status: 'error',
	kind: 'sweep',
	cure: 'Run `bothy worker sweep`, or `bothy worker` with all roles.',
} as const;

/** The service waits this long for an answer, less a margin. */
const SLOW_MS = 8_000;

/** Fewer deliveries say nothing. */
const FEWEST = 3;

/** Warnings and errors of one account; none if all is well. */
export function judgeAccount(standing: AccountStanding, now: number): Finding[] {
	return [
		...judgeBot(standing),
		...judgeService(standing, now),
		...judgeSends(standing),
		...judgeDeliveries(standing),
		...judgeCrons(standing),
	];
}

function judgeBot({account: {name: about}, noted, paused, held}: AccountStanding): Finding[] {
	const findings: Finding[] = [];
	if (noted?.problem !== undefined) {
		findings.push({
			...{status: 'error', kind: 'broken-plugin', about, since: noted.at},
			text: `the bot does not run: ${noted.problem}`,
			cure: 'Correct the plugin or its settings, then restart `bothy web` or send it SIGHUP.',
		});
	}

	if (paused) {
		const what =
			paused.text === undefined
				? `${countOf(held, 'message')} ${held === 1 ? 'waits' : 'wait'} until it is resumed`
				: 'it answers with a text';
		findings.push({
			...{status: 'warning', kind: 'paused', about},
			text: `an operator paused it: ${what}`,
			cure: `\`bothy bots resume ${about}\` lets it run again.`,
			...(paused.at !== undefined && {since: paused.at}),
		});
	}

	return findings;
}

function judgeService(standing: AccountStanding, now: number): Finding[] {
	const {
		account: {name: about},
		trouble,
		open,
		wrongTokens,
		pauseMs,
		check,
	} = standing;
	const findings: Finding[] = [];
	const failing = trouble === undefined ? undefined : Trouble.parse(JSON.parse(trouble));
	if (failing) {
		const waiting = open === 0 ? '' : `; ${countOf(open, 'delivery')} ${open === 1 ? 'waits' : 'wait'}`;
		findings.push({
			...{status: 'error', kind: 'account', about, since: failing.at},
			text: `calls have failed for ${duration(Math.max(0, now - failing.at))}: ${failing.reason}${waiting}`,
			cure: 'Check `site` and `key`. When calls succeed again, Bothy posts the messages that wait.',
		});
	}

	// A refused key also makes the calls fail.
	const problems = (check?.problems ?? []).filter(text => !(failing && text.startsWith(REFUSED)));
	for (const text of problems) {
		findings.push({
			status: 'error',
			kind: 'account',
			about,
			text,
			cure: 'Correct its section in the config, then send SIGHUP to `bothy web` and `bothy worker`.',
			since: check?.at ?? now,
		});
	}

	if (wrongTokens > 0) {
		findings.push({
			...{status: 'warning', kind: 'wrong-token', about, since: wrongTokenAt(standing, now)},
			text: `${countOf(wrongTokens, 'webhook')} had a wrong token within the last day`,
			cure: "Copy `token` from the bot's zuliprc. During a rotation, list both tokens.",
		});
	}

	if (pauseMs > 0) {
		findings.push({
			...{status: 'warning', kind: 'rate-limit', about},
			text: `the service asked it to wait (429): Bothy calls again in ${duration(pauseMs)}`,
			cure: 'Nothing to do, unless it happens often: then the bot posts too much.',
		});
	}

	return findings;
}

function judgeSends({account: {name: about}, unsettled, unsettledFirst}: AccountStanding): Finding[] {
	if (unsettled === 0) {
		return [];
	}

	const state = unsettledFirst?.state ?? '';
	const first = state.startsWith('failed')
		? `; the oldest: ${state.slice('failed '.length)}`
		: '; the oldest is unknown';
	return [
		{
			...{status: 'warning', kind: 'unsettled', about},
			text: `${countOf(unsettled, 'send')} failed or ${unsettled === 1 ? 'has' : 'have'} an unknown outcome${unsettledFirst ? first : ''}`,
			cure: `\`bothy sends --bot ${about}\` lists them; \`bothy sends retry <id>\` posts one again, \`bothy sends resolve <id> --sent\` treats it as posted.`,
			...(unsettledFirst && {since: unsettledFirst.at, delivery: unsettledFirst.id}),
		},
	];
}

function judgeDeliveries(standing: AccountStanding): Finding[] {
	const {
		account: {name: about},
		took,
		floods,
	} = standing;
	const findings: Finding[] = [];
	const see = (status: string) => `\`bothy deliveries --bot ${about} --status ${status}\` lists them;`;
	const cure = 'correct the bot, then run `bothy deliveries replay`.';
	for (const [kind, what] of [
		['failed', 'of the last hour failed'],
		['parked', 'of the last day could not be run'],
	] as const) {
		const latest = standing[`${kind}Latest`];
		if (latest) {
			// The host notes no error of a delivery that ended its process.
			const [reason = ''] = latest.error.split('\n', 1);
			const why = reason === '' && kind === 'parked' ? 'it ended its process three times' : reason;
			findings.push({
				...{status: kind === 'parked' ? 'error' : 'warning', kind, about, since: latest.since, delivery: latest.id},
				text: `${countOf(standing[kind], 'delivery')} ${what}${why === '' ? '' : `; the latest: ${why}`}`,
				cure: `${see(kind)} ${cure}`,
			});
		}
	}

	const slow = took.filter(ms => ms > SLOW_MS).length;
	if (took.length >= FEWEST && slow * 5 >= took.length) {
		findings.push({
			...{status: 'warning', kind: 'slow', about},
			text: `${slow} of the latest ${took.length} deliveries took longer than ${duration(SLOW_MS)}, at most ${duration(percentile(took, 1) ?? 0)}`,
			cure: 'The service waits ten seconds, then Bothy posts the answer late. See what its handler waits for.',
		});
	}

	if (floods > 0) {
		findings.push({
			...{status: 'warning', kind: 'flood', about},
			text: `${floods} of the latest deliveries came too fast from one person`,
			cure: `${see('flood')} raise \`perMinute\` of the bot if that is wanted.`,
		});
	}

	return findings;
}

function judgeCrons({account: {name: about}, missed}: AccountStanding): Finding[] {
	return missed.map(({id, count, at}) => ({
		...{status: 'warning', kind: 'missed-cron', about, since: at, cron: id},
		text: `the cron ${id} was due while no worker ran; ${countOf(count, 'due time')} passed so far`,
		cure: 'Keep a worker running. `bothy schedules` shows when it is due next.',
	}));
}
