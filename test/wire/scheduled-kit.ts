// Schedules messages with literal forms, and lets their time come.

import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ExecutionContext} from 'ava';
import Database from 'libsql';
import type {Realm} from '../../src/realm/index.js';
import {advanceClock, at, type Caller, channelId, type Json, sendLines} from './raw-request.js';

/** UNIX seconds, as far from now as said, by the clock on the wall. */
export function secondsFromNow(seconds: number): number {
	return Math.floor(Date.now() / 1000) + seconds;
}

/** A message to general in ten minutes, unless the form says otherwise. */
export async function schedule(caller: Caller, form = '', timestamp = secondsFromNow(600)): Promise<number> {
	const place = form.includes('type=') ? '' : `type=channel&to=${await channelId(caller, 'general')}&topic=soup&`;
	const {json} = await caller.post(
		'/api/v1/scheduled_messages',
		`${place}content=Hello&scheduled_delivery_timestamp=${timestamp}${form}`,
	);
	return Number(at(json, 'scheduled_message_id'));
}

export async function scheduledMessages(caller: Caller): Promise<Json> {
	return at((await caller.get('/api/v1/scheduled_messages')).json, 'scheduled_messages');
}

/** Moves the realm's clock to a time, in UNIX seconds. */
export async function moveClockTo(realm: Realm, seconds: number): Promise<void> {
	const {json} = await sendLines(realm.url, ['GET /trouble HTTP/1.1', 'Host: 127.0.0.1', 'Connection: close', '', '']);
	await advanceClock(realm, seconds * 1000 - Number(at(json, 'now_ms')));
}

/** A time that is due at the whole minute after it: one second past a minute that is to come. */
export function justPastAMinute(): number {
	return (Math.floor(Date.now() / 60_000) + 3) * 60 + 1;
}

export async function temporaryFile(t: ExecutionContext): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'realm-'));
	t.teardown(() => rm(folder, {recursive: true}));
	return join(folder, 'realm.db');
}

/** Changes what no call changes yet. */
export function changeDatabase(file: string, sql: string): void {
	const database = new Database(file, {timeout: 2000});
	database.exec(sql);
	database.close();
}
