// Tests written as what goes over the wire: each step is a literal request to the realm and the literal answer to it.
//
//     story('createDrafts', 'the IDs come in the order of the drafts', [
//         ['alice POST /api/v1/drafts drafts=[{"type":"","to":[],"topic":"","content":"a"}]', {ids: ['$first']}],
//         ['alice GET /api/v1/drafts', like({count: 1, drafts: [like({id: '$first', content: 'a'})]})],
//         ['bob DELETE /api/v1/drafts/$first', refusal('404 Not Found', 'Draft does not exist')],
//     ]);
//
// A request is `<who> <METHOD> <path> [form]`. People sign in when they are first named; `nobody` has no credentials, and
// `<name>-bot` is an outgoing-webhook bot that is made when it is first named.
// In an answer `'<integer>'`, `'<string>'`, `'<any>'` stand for what must vary. `'$name'` is a value to remember: its first
// occurrence takes any value, later ones must equal it, and `$name` in a request is replaced by it.

import test, {type ExecutionContext} from 'ava';
import type {Realm, RealmOptions} from '../../src/realm/index.js';
import {openRealm} from '../helpers/realm.js';
import {advanceClock, type Caller, callerOf, expectSuccess, type Json, type RawAnswer, signIn} from './raw-request.js';

export type Step =
	| readonly [request: string, answer?: Expected]
	/** Registers an event queue of somebody for one type; the rest of the form as it stands on the wire. */
	| {readonly listen: string; readonly to: string; readonly form?: string}
	/** All events that this listener got since the queue was registered, without `id`, optionally of one type only. */
	| {readonly heard: string; readonly of?: string; readonly events: readonly Expected[]}
	| {readonly advanceMs: number}
	| ((t: ExecutionContext, scene: Scene) => unknown);

/** A text is the `msg` of a BAD_REQUEST; an object is what a success has beside `result` and `msg`. */
type Expected = string | Json | Like | Refusal | {readonly [key: string]: Expected} | readonly Expected[];

export interface Scene {
	readonly realm: Realm;
	/** Values by name, without `$`. */
	readonly names: Map<string, Json>;
	who(name: string): Promise<Caller>;
	send(request: string): Promise<RawAnswer>;
}

/** An object that has at least these fields. */
export class Like {
	constructor(readonly fields: {readonly [key: string]: Expected}) {}
}

class Refusal {
	constructor(
		readonly status: string,
		readonly json: {readonly [key: string]: Expected},
	) {}
}

export const like = (fields: {readonly [key: string]: Expected}) => new Like(fields);

/** An answer that is no success; `code` is BAD_REQUEST unless `fields` says otherwise. */
export function refusal(status: string, msg: string, fields: {readonly [key: string]: Expected} = {}): Refusal {
	return new Refusal(status, {result: 'error', msg, code: 'BAD_REQUEST', ...fields});
}

export const missingArgument = (name: string) =>
	refusal('400 Bad Request', `Missing '${name}' argument`, {code: 'REQUEST_VARIABLE_MISSING', var_name: name});

/** What an operation answers that is newer than the realm's feature level. */
export const notFound = () => new Refusal('404 Not Found', {result: 'error', msg: '<any>', code: '<any>'});

/** One test: these steps, in order, in a realm of their own. The title begins with the operation's name. */
export function story(
	operation: string,
	title: string,
	steps: readonly Step[],
	options: Partial<RealmOptions> = {},
): void {
	test(`${operation}: ${title}`, async t => play(t, steps, options));
}

/** A table of tests: title, then request and answer. */
export function answers(operation: string, rows: Readonly<Record<string, readonly [string, Expected]>>): void {
	for (const [title, row] of Object.entries(rows)) {
		story(operation, title, [row]);
	}
}

export async function play(t: ExecutionContext, steps: readonly Step[], options: Partial<RealmOptions>): Promise<void> {
	const realm = await openRealm(t, options);
	const people = new Map<string, Promise<Caller>>();
	const queues = new Map<string, string>();
	const names = new Map<string, Json>();
	const who = (name: string) => {
		const caller = people.get(name) ?? enter(t, realm, name);
		people.set(name, caller);
		return caller;
	};
	const send = async (request: string) => {
		const [name = '', method = '', path = '', ...rest] = replaceNames(request, names).split(' ');
		const caller = await who(name);
		const form = rest.join(' ');
		switch (method) {
			case 'GET':
				return caller.get(path);
			case 'POST':
				return caller.post(path, form);
			case 'PATCH':
				return caller.patch(path, form);
			case 'DELETE':
				return caller.delete(path, form);
			default:
				throw new Error(`Expected GET, POST, PATCH or DELETE, found ${method} in ${request}`);
		}
	};
	const scene: Scene = {realm, names, who, send};

	for (const step of steps) {
		if (typeof step === 'function') {
			await step(t, scene);
		} else if ('advanceMs' in step) {
			await advanceClock(realm, step.advanceMs);
		} else if ('listen' in step) {
			const form = `event_types=["${step.to}"]&queue_lifespan_secs=86400${step.form ?? ''}`;
			const {json} = await send(`${step.listen} POST /api/v1/register ${form}`);
			queues.set(`${step.listen} ${step.to}`, String(Object(json).queue_id));
		} else if ('heard' in step) {
			for (const [listener, queue] of queues) {
				const [name = '', type = ''] = listener.split(' ');
				if (name === step.heard && (step.of === undefined || step.of === type)) {
					const {json} = await send(`${name} GET /api/v1/events?queue_id=${queue}&last_event_id=-1&dont_block=true`);
					const events = (Object(json).events as Json[]).map(withoutId);
					t.deepEqual(fill(step.events as Expected, events, names), events, `What ${listener} heard`);
				}
			}
		} else {
			const [request, expected] = step;
			check(t, {request, answer: await send(request), expected, names});
		}
	}
}

async function enter(t: ExecutionContext, realm: Realm, name: string): Promise<Caller> {
	if (name === 'nobody') {
		return callerOf(realm.url, {email: '', key: '', userId: 0});
	}

	const bot = /^(\w+)-bot$/.exec(name)?.[1];
	return bot
		? callerOf(realm.url, realm.ensureBot({name: bot, fullName: bot, payloadUrl: 'http://127.0.0.1:9/'}))
		: signIn(t, name, realm);
}

interface Check {
	readonly request: string;
	readonly answer: RawAnswer;
	readonly expected: Expected | undefined;
	readonly names: Map<string, Json>;
}

function check(t: ExecutionContext, {request, answer, expected, names}: Check): void {
	if (typeof expected === 'string') {
		check(t, {request, answer, expected: refusal('400 Bad Request', expected), names});
	} else if (expected instanceof Refusal) {
		t.is(answer.statusLine, `HTTP/1.1 ${expected.status}`, `${request}\n${answer.body}`);
		t.deepEqual(fill(expected.json, answer.json, names), answer.json, request);
		t.true(answer.body.endsWith('}\n'));
		t.is(answer.headers['www-authenticate'], expected.status.startsWith('401') ? 'Basic realm="zulip"' : undefined);
	} else {
		expectSuccess(t, answer);
		if (expected instanceof Like) {
			t.deepEqual(fill(expected, answer.json, names), answer.json, request);
		} else if (expected !== undefined) {
			const whole = {result: 'success', msg: '', ...(expected as object)};
			t.deepEqual(fill(whole, answer.json, names), answer.json, request);
		}
	}
}

/** What was expected, with what may vary taken from what was found; equal to it if everything fits. */
export function fill(expected: Expected, found: Json | undefined, names: Map<string, Json>): Json {
	if (expected instanceof Like) {
		const fields = fill(expected.fields, found, names) as {[key: string]: Json};
		return isObject(found) ? {...found, ...fields} : fields;
	}

	if (typeof expected === 'string') {
		return found === undefined ? expected : fillText(expected, found, names);
	}

	if (Array.isArray(expected)) {
		const items = Array.isArray(found) ? found : [];
		return expected.map((each: Expected, index) => fill(each, items[index], names));
	}

	if (typeof expected === 'object' && expected !== null) {
		const fields = isObject(found) ? found : {};
		return Object.fromEntries(
			Object.entries(expected).map(([key, value]) => [key, fill(value as Expected, fields[key], names)]),
		);
	}

	return expected as Json;
}

function fillText(expected: string, found: Json, names: Map<string, Json>): Json {
	const fits =
		expected === '<any>' ||
		(expected === '<integer>' && Number.isSafeInteger(found)) ||
		(expected === '<string>' && typeof found === 'string');
	if (fits) {
		return found;
	}

	const name = /^\$(\w+)$/.exec(expected)?.[1];
	if (name === undefined) {
		return replaceNames(expected, names);
	}

	const known = names.get(name);
	if (known === undefined) {
		names.set(name, found);
		return found;
	}

	return known;
}

function replaceNames(text: string, names: Map<string, Json>): string {
	return text.replaceAll(/\$(\w+)/g, (whole, name: string) => {
		const value = names.get(name);
		return value === undefined ? whole : typeof value === 'string' ? value : JSON.stringify(value);
	});
}

function isObject(json: Json | undefined): json is {[key: string]: Json} {
	return typeof json === 'object' && json !== null && !Array.isArray(json);
}

function withoutId(event: Json): Json {
	const {id: _id, ...fields} = Object(event);
	return fields;
}
