// A realm of a test's own.

import {type OpenRealm, type Realm, type RealmOptions, startRealm} from '../../src/realm/index.js';
import type {Scope} from './bothy.js';

/** Of a hundred tests that begin at once, each would wait for all the others' realms, longer than a connection may take. */
const AT_ONCE = 16;

let running = 0;
const waiting: Array<() => void> = [];
const having = new WeakSet<Scope>();

export async function openRealm(t: Scope, options: Partial<RealmOptions> = {}): Promise<Realm & OpenRealm> {
	if (!having.has(t)) {
		having.add(t);
		await turn();
		t.teardown(giveTurn);
	}

	const realm = await startRealm({file: ':memory:', port: 0, ...options});
	t.teardown(() => realm.close());
	return realm;
}

async function turn(): Promise<void> {
	if (running === AT_ONCE) {
		await new Promise<void>(resolve => {
			waiting.push(resolve);
		});
	} else {
		running++;
	}
}

function giveTurn(): void {
	const next = waiting.shift();
	if (next) {
		next();
	} else {
		running--;
	}
}
