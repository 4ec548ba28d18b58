// One realm for all tests of a process. Each test has its own accounts there.

import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import test, {type ExecutionContext} from 'ava';
import {type Realm, startRealm} from '../../src/realm/index.js';
import {createAccount, Role} from '../../src/realm/people/accounts.js';
import {openStore} from '../../src/realm/store/store.js';
import {signIn} from '../helpers/bothy.js';

let shared: Promise<{realm: Realm; file: string}> | undefined;
let accounts = 0;
let close = async () => {};
/** Operations by caller. */
const calls = new Map<string, string[]>();

test.after.always('the realm of all tests stops', () => close());

async function start() {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-realm-'));
	const file = join(folder, 'realm.db');
	const realm = await startRealm({
		file,
		port: 0,
		rateLimit: false,
		log({operation, account}) {
			calls.get(String(account))?.push(String(operation));
		},
	});
	close = async () => {
		await realm.close();
		await rm(folder, {recursive: true, force: true});
	};
	return {realm, file};
}

/** The names, failures and calls of a test's own bots and people. */
function openAccount(t: ExecutionContext, realm: Realm, email: string) {
	const own: string[] = [];
	calls.set(email, own);
	return {
		realm,
		/** Which of these operations it called since the last check. */
		called: (...operations: string[]) => own.splice(0).filter(call => operations.includes(call)),
		/** Makes its next calls fail. */
		async trouble(body: object, path = 'calls'): Promise<void> {
			const headers = {'content-type': 'application/json'};
			const text = JSON.stringify(path === 'calls' ? {account: email, ...body} : body);
			const {status} = await fetch(`${realm.url}/trouble/${path}`, {method: 'POST', headers, body: text});
			t.is(status, 200);
		},
	};
}

/** A realm for this test alone, with a bot. */
export async function openOwnRealm(t: ExecutionContext, featureLevel?: number) {
	const realm = await startRealm({file: ':memory:', port: 0, rateLimit: false, ...(featureLevel && {featureLevel})});
	t.teardown(() => realm.close());
	const bot = realm.ensureBot({name: 'echo', fullName: 'Echo', payloadUrl: 'http://127.0.0.1:9/'});
	return {...openAccount(t, realm, bot.email), bot};
}

/** A bot of a test's own, which belongs to Olivia. */
export async function openBot(t: ExecutionContext) {
	shared ??= start();
	const {realm} = await shared;
	const name = `bot${accounts++}`;
	const bot = realm.ensureBot({name, fullName: name, payloadUrl: 'http://127.0.0.1:9/'});
	return {...openAccount(t, realm, bot.email), bot};
}

/** A person that no other test uses. */
export async function openPerson(t: ExecutionContext) {
	shared ??= start();
	const {realm, file} = await shared;
	const email = `person-${accounts++}@bothy.example`;
	const store = openStore(file);
	createAccount(store, {email, full_name: email, role: Role.member, date_joined: 1_700_000_000});
	store.close();
	return {...openAccount(t, realm, email), person: await signIn(t, realm.url, email)};
}
