// Tests written as what goes over the wire: each step is a literal request to the realm and the literal answer to it.
//
//     story('createDrafts', 'the IDs come in the order of the drafts', [
//         ['alice POST /api/v1/drafts drafts=[{"type":"","to":[],"topic":"","content":"a"}]', {ids: ['$first']}],
//         ['alice GET /api/v1/drafts', like({count: 1, drafts: [like({id: '$first', content: 'a'})]})],
//         ['bob DELETE /api/v1/drafts/$first', refusal('404 Not Found', 'Draft does not exist')],
//     ]);
//
// A request is `<who> <METHOD> <path> [form]`. People sign in when they are first named; `nobody` has no credentials, and
// `<name>-bot` is an outgoing-webhook bot that is made when it is first named. In an answer `'<integer>'`, `'<number>'`,
// `'<string>'`, `'<any>'` and regular expressions stand for what must vary, and in `like` stands `undefined` for a field that
// must not be there. `'$name'` is a value to remember: its first occurrence takes any value, later ones must equal it, and
// `$name` in a request is replaced by it.

import {isDeepStrictEqual} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {type OpenRealm, type Realm, type RealmOptions, startRealm} from '../../../src/realm/index.js';
import {openRealm} from '../../helpers/realm.js';
import {
	advanceClock,
	type Caller,
	callerOf,
	expectSuccess,
	isAskedToLogIn,
	type Json,
	type RawAnswer,
	signInTo,
} from './raw-request.js';

export type Step =
	| readonly [request: string, answer?: Expected]
	/** Registers an event queue of somebody for types, comma-separated; the rest of the form as it stands on the wire. */
	| {readonly listen: string; readonly to: string; readonly form?: string; readonly as?: string}
	/** All events that this listener got since the queue was registered, without `id`, optionally of one queue only. */
	| {readonly heard: string; readonly of?: string; readonly events: readonly Expected[]}
	| {readonly advanceMs: number}
	/** Somebody from here on calls with a key that an answer gave. */
	| {readonly enter: string; readonly email: string; readonly key: string}
	| ((t: ExecutionContext, scene: Scene) => unknown);

/** A text is the `msg` of a BAD_REQUEST; an object is what a success has beside `result` and `msg`. */
export type Expected =
	| string
	| Json
	| RegExp
	| Like
	| Including
	| Refusal
	| {readonly [key: string]: Expected}
	| readonly Expected[];

export interface Scene {
	readonly realm: Realm & OpenRealm;
	/** Values by name, without `$`. */
	readonly names: Map<string, Json>;
	who(name: string): Promise<Caller>;
	send(request: string): Promise<RawAnswer>;
}

/** An object that has at least these fields, and none where `undefined` stands. */
export class Like {
	constructor(readonly fields: {readonly [key: string]: Expected | undefined}) {}
}

/** A list that has these items in any order, and no others if it is whole. */
class Including {
	constructor(
		readonly items: readonly Expected[],
		readonly isWhole: boolean,
	) {}
}

class Refusal {
	constructor(
		readonly status: string,
		readonly json: {readonly [key: string]: Expected},
	) {}
}

export const like = (fields: Like['fields']) => new Like(fields);

/** A list that has at least these items. */
export const including = (...items: readonly Expected[]) => new Including(items, false);

export const inAnyOrder = (...items: readonly Expected[]) => new Including(items, true);

/** Objects with these names, no others, in this order. */
export const named = (...names: readonly string[]) => names.map(name => like({name}));

/** An answer that is no success; `code` is BAD_REQUEST unless `fields` says otherwise. */
export function refusal(status: string, msg: string, fields: {readonly [key: string]: Expected} = {}): Refusal {
	return new Refusal(status, {result: 'error', msg, code: 'BAD_REQUEST', ...fields});
}

export const missingArgument = (name: string) =>
	refusal('400 Bad Request', `Missing '${name}' argument`, {code: 'REQUEST_VARIABLE_MISSING', var_name: name});

/** What a path answers that knows other methods only. */
export const methodNotAllowed = (...methods: readonly string[]) =>
	new Refusal('405 Method Not Allowed', {result: 'error', msg: 'Method Not Allowed', allowed_methods: methods});

/** What an operation answers that is newer than the realm's feature level. */
export const notFound = () => new Refusal('404 Not Found', {result: 'error', msg: '<any>', code: '<any>'});

/** The newest message that somebody may read, as it was written, has at least these fields. */
export const newest = (who: string, fields: {readonly [key: string]: Expected}): Step => [
	`${who} GET /api/v1/messages?anchor=newest&num_before=1&apply_markdown=false&allow_empty_topic_name=true`,
	like({messages: [like(fields)]}),
];

/** One test: these steps, in order, in a realm of their own. The title begins with the operation's name. */
export function story(
	operation: string,
	title: string,
	steps: readonly Step[],
	options: Partial<RealmOptions> = {},
): void {
	test(`${operation}: ${title}`, async t => play(t, steps, options));
}

type Row = readonly [request: string, answer: Expected, options?: Partial<RealmOptions>];

/**
 * A table of tests: title, then request and answer. Calls that are refused or only read share the realm of the file, because
 * they change nothing. Every other call has a realm of its own.
 */
export function answers(operation: string, rows: Readonly<Record<string, Row>>): void {
	for (const [title, [request, answer, options]] of Object.entries(rows)) {
		if (options === undefined && changesNothing(request, answer)) {
			test(`${operation}: ${title}`, async t => {
				const {send} = await quietScene();
				check(t, {request, answer: await send(request), expected: answer, names: new Map()});
			});
		} else {
			story(operation, title, [[request, answer]], options);
		}
	}
}

/** A bot is made when it is first named, which others could see. */
function changesNothing(request: string, answer: Expected): boolean {
	const [who = '', method] = request.split(' ');
	return !who.endsWith('-bot') && (method === 'GET' || typeof answer === 'string' || answer instanceof Refusal);
}

let quiet: Promise<Scene> | undefined;

async function quietScene(): Promise<Scene> {
	quiet ??= startRealm({file: ':memory:', port: 0, rateLimit: false}).then(sceneOf);
	return quiet;
}

test.after.always(async () => {
	await (await quiet)?.realm.close();
});

/** Steps whose requests begin with the same text: the rest of each request, and its answer. */
export function each(start: string, rows: Readonly<Record<string, Expected>>): Step[] {
	return Object.entries(rows).map(([rest, answer]) => [`${start}${rest}`, answer]);
}

interface Since {
	readonly level: number;
	/** Passes the parameter; it succeeds at every level. */
	readonly request: string;
	/** What shows whether the parameter was read, and how it shows below the level. */
	readonly look?: string;
	readonly below?: Expected;
	readonly from?: Expected;
}

/** Two tests of a parameter: below its feature level the realm ignores it and says so, at the level it does not. */
export function since(operation: string, name: string, {level, request, look, below, from}: Since): void {
	const looks = (answer: Expected | undefined): Step[] => (look && answer !== undefined ? [[look, answer]] : []);
	story(
		operation,
		`feature level ${level - 1} ignores ${name}`,
		[[request, like({ignored_parameters_unsupported: [name]})], ...looks(below)],
		{featureLevel: level - 1},
	);
	story(
		operation,
		`feature level ${level} reads ${name}`,
		[[request, like({ignored_parameters_unsupported: undefined})], ...looks(from)],
		{featureLevel: level},
	);
}

export async function play(t: ExecutionContext, steps: readonly Step[], options: Partial<RealmOptions>): Promise<void> {
	const scene = sceneOf(await openRealm(t, options));
	const {realm, people, names, send} = scene;
	const queues = new Map<string, {readonly name: string; readonly id: string}>();

	for (const step of steps) {
		if (typeof step === 'function') {
			await step(t, scene);
		} else if ('advanceMs' in step) {
			await advanceClock(realm, step.advanceMs);
		} else if ('enter' in step) {
			const {email, key} = step;
			people.set(step.enter, Promise.resolve(callerOf(realm.url, {email, key: replaceNames(key, names), userId: 0})));
		} else if ('listen' in step) {
			const form = `event_types=${JSON.stringify(step.to.split(','))}&queue_lifespan_secs=86400${step.form ?? ''}`;
			const {json} = await send(`${step.listen} POST /api/v1/register ${form}`);
			queues.set(`${step.as ?? step.listen} ${step.to}`, {name: step.listen, id: String(Object(json).queue_id)});
		} else if ('heard' in step) {
			const listeners = [...queues].filter(
				([listener]) => listener === `${step.heard} ${step.of}` || (!step.of && listener.startsWith(`${step.heard} `)),
			);
			if (listeners.length === 0) {
				throw new Error(`Expected ${step.heard} to listen to ${step.of ?? 'something'} before`);
			}

			for (const [listener, {name, id}] of listeners) {
				const {json} = await send(`${name} GET /api/v1/events?queue_id=${id}&last_event_id=-1&dont_block=true`);
				const events = (Object(json).events as Json[]).map(withoutId);
				t.deepEqual(fill(step.events as Expected, events, names), events, `What ${listener} heard`);
			}
		} else {
			const [request, expected] = step;
			check(t, {request, answer: await send(request), expected, names});
		}
	}
}

function sceneOf(realm: Realm & OpenRealm): Scene & {readonly people: Map<string, Promise<Caller>>} {
	const people = new Map<string, Promise<Caller>>();
	const names = new Map<string, Json>();
	const who = (name: string) => {
		const caller = people.get(name) ?? enter(realm, name);
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
			case 'PUT':
				return caller.put(path, form);
			case 'PATCH':
				return caller.patch(path, form);
			case 'DELETE':
				return caller.delete(path, form);
			default:
				throw new Error(`Expected GET, POST, PUT, PATCH or DELETE, found ${method} in ${request}`);
		}
	};
	return {realm, people, names, who, send};
}

async function enter(realm: OpenRealm, name: string): Promise<Caller> {
	if (name === 'nobody') {
		return callerOf(realm.url, {email: '', key: '', userId: 0});
	}

	const bot = /^(\w+)-bot$/.exec(name)?.[1];
	return bot
		? callerOf(realm.url, realm.ensureBot({name: bot, fullName: bot, payloadUrl: 'http://127.0.0.1:9/'}))
		: signInTo(realm, name);
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
		t.is(
			answer.headers['www-authenticate'],
			isAskedToLogIn(expected.status, answer.json) ? 'Basic realm="zulip"' : undefined,
		);
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
		// A field that must be absent and is there stays as an undefined one, which equals nothing that JSON holds.
		const wanted = Object.entries(expected.fields).filter(
			([key, value]) => value !== undefined || (isObject(found) && key in found),
		);
		const others = isObject(found) ? Object.entries(found).filter(([key]) => !(key in expected.fields)) : [];
		const fields = fill(Object.fromEntries(wanted) as Expected, found, names) as {[key: string]: Json};
		return {...Object.fromEntries(others), ...fields};
	}

	if (expected instanceof Including) {
		return fillIncluding(expected, found, names);
	}

	if (expected instanceof RegExp) {
		return typeof found === 'string' && expected.test(found) ? found : String(expected);
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
			Object.entries(expected)
				.filter(([, value]) => value !== undefined)
				.map(([key, value]) => [key, fill(value as Expected, fields[key], names)]),
		);
	}

	return expected as Json;
}

function fillIncluding({items, isWhole}: Including, found: Json | undefined, names: Map<string, Json>): Json {
	const all = Array.isArray(found) ? found : [];
	const rest = [...all];
	const missing: Json[] = [];
	for (const item of items) {
		const index = rest.findIndex(each => isDeepStrictEqual(fill(item, each, new Map(names)), each));
		if (index === -1) {
			missing.push(fill(item, undefined, names));
		} else {
			fill(item, rest.splice(index, 1)[0], names);
		}
	}

	return [...(isWhole ? all.filter(each => !rest.includes(each)) : all), ...missing];
}

function fillText(expected: string, found: Json, names: Map<string, Json>): Json {
	const fits =
		expected === '<any>' ||
		(expected === '<integer>' && Number.isSafeInteger(found)) ||
		(expected === '<number>' && typeof found === 'number') ||
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
