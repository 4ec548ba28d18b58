// One run of the suite: whenever a worker changes or deletes a draft, the person whose draft it is types into it at the same
// moment, and half of the time the service tells of the two in swapped order. Then the texts are counted.

import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {type Client, createClient} from '../../src/client/client.js';
import {ApiError} from '../../src/client/errors.js';
import {createDraftStore, type DraftStore} from '../../src/drafts/store.js';
import {type OpenQueue, openQueue} from '../../src/queue/define-queue.js';
import {drafts, enqueueSync} from '../../src/queue/drafts.js';
import {startRealm} from '../../src/realm/index.js';
import {accountTag} from '../../src/redis/account-key.js';
import {connectRedis} from '../../src/redis/connection.js';
import {keep} from './processes.js';
import {startMeetingProxy} from './trouble/meeting-proxy.js';
import {startOwnRedis} from './trouble/own-redis.js';
import {endFolder} from './verdict.js';

export interface DraftsSize {
	readonly races: number;
	/** People, at most six, each with so many drafts in a round. */
	readonly people: number;
	readonly draftsEach: number;
	/** How long a round may take, in milliseconds. */
	readonly timeoutMs: number;
}

export interface DraftsVerdict {
	readonly races: number;
	/** Texts that are gone, overwritten ones among them. */
	readonly lost: readonly string[];
	readonly doubled: readonly string[];
}

type Print = (line: string) => void;

const NAMES = ['alice', 'bob', 'carla', 'mona', 'adam', 'olivia'];
const BOT = 'assistant-bot@bothy.example';

/** Longer than the two edits of a race are apart, and shorter than the worker waits for what is told late. */
const HELD_MS = 30;

interface Person {
	readonly email: string;
	readonly site: string;
	readonly client: Client;
}

interface Race {
	readonly person: Person;
	readonly key: string;
	/** What the bot wrote first, and then; undefined where it deletes. */
	readonly first: string;
	readonly second: string | undefined;
	/** What the person types. */
	readonly typed: string;
	readonly order: 'person first' | 'together' | 'person last';
	readonly apartMs: number;
	readonly isSwapped: boolean;
	draftId: number;
	/** Whether the service took what the person typed; undefined until they met. */
	isTyped: boolean | undefined;
}

export async function runDrafts(size: DraftsSize, say: Print): Promise<DraftsVerdict> {
	const folder = await mkdtemp(join(tmpdir(), 'bothy-faults-'));
	const realm = await startRealm({file: ':memory:', port: 0, rateLimit: false});
	const redis = await startOwnRedis(folder);
	const races = new Map<number, Race>();
	const proxy = await startMeetingProxy(realm.url, async (draftId, write) => {
		const race = races.get(draftId);
		if (!race || race.isTyped !== undefined) {
			return write();
		}

		await meet(race, realm.url, write);
	});
	const people = await Promise.all(
		NAMES.slice(0, size.people).map(name => enter(name, {realm: realm.url, site: proxy.url})),
	);
	const env = {
		BOTHY_CONFIG_JSON: JSON.stringify(
			Object.fromEntries(people.map(({name, email, key, site}) => [name, {email, key, site}])),
		),
		BOTHY_DATA: folder,
		REDIS_URL: redis.url,
		LOG_LEVEL: 'info',
	};
	const workers = [0, 1].map(index => keep({command: 'worker', env, logFile: join(folder, `worker-${index}.log`)}));
	const connection = connectRedis(redis.url, {listener: {onLost() {}, onBack() {}}});
	const queue = openQueue(drafts, connection);
	let isGood = false;
	try {
		await Promise.all(workers.map(worker => worker.up()));
		const house = {people, races, store: createDraftStore(connection), queue};
		const verdict = await runRounds(size, house, say);
		isGood = verdict.lost.length + verdict.doubled.length === 0;
		return verdict;
	} finally {
		await queue.close();
		await Promise.all(workers.map(worker => worker.stop()));
		connection.disconnect();
		await Promise.all(people.map(({client}) => client.close()));
		await proxy.close();
		await realm.close();
		await redis.stop();
		await endFolder(folder, {isGood, say});
	}
}

async function enter(name: string, {realm, site}: {realm: string; site: string}) {
	const email = `${name}@bothy.example`;
	const nobody = createClient({site: realm, email, key: '', userAgent: 'faults/1'});
	const {api_key: key} = await nobody.devFetchApiKey({username: email});
	await nobody.close();
	return {name, email, key, site, client: createClient({site: realm, email, key, userAgent: 'faults/1'})};
}

/** The person types while the worker's write is under way. */
async function meet(race: Race, realmUrl: string, write: () => Promise<void>): Promise<void> {
	if (race.isSwapped) {
		const headers = {'content-type': 'application/json'};
		const body = JSON.stringify({account: race.person.email, event_type: 'drafts', within_ms: HELD_MS});
		await fetch(`${realmUrl}/trouble/swaps`, {method: 'POST', headers, body});
	}

	switch (race.order) {
		case 'person first':
			await type(race);
			await sleep(race.apartMs);
			return write();
		case 'together':
			await Promise.all([type(race), write()]);
			return;
		case 'person last':
			await write();
			await sleep(race.apartMs);
			return type(race);
	}
}

async function type(race: Race): Promise<void> {
	try {
		race.isTyped = false;
		await race.person.client.editDraft({
			draft_id: race.draftId,
			draft: {type: '', to: [], topic: '', content: race.typed},
		});
		race.isTyped = true;
	} catch (error) {
		// Our deletion came first, and the person was told so.
		if (!(error instanceof ApiError)) {
			throw error;
		}
	}
}

interface House {
	readonly people: readonly Person[];
	/** Those of this round, by the ID of the draft. */
	readonly races: Map<number, Race>;
	readonly store: DraftStore;
	readonly queue: OpenQueue<typeof drafts.schema>;
}

async function runRounds({races: wanted, draftsEach, timeoutMs}: DraftsSize, house: House, say: Print) {
	const lost: string[] = [];
	const doubled: string[] = [];
	const counts = {races: 0, swapped: 0, putBack: 0};
	const startedAt = performance.now();
	for (let round = 0; counts.races < wanted; round++) {
		const left = wanted - counts.races;
		const races = makeRaces(house.people, {round, draftsEach}).slice(0, left);
		const found = await runRound(races, house, timeoutMs);
		lost.push(...found.lost);
		doubled.push(...found.doubled);
		counts.races += races.length;
		counts.swapped += races.filter(({isSwapped}) => isSwapped).length;
		counts.putBack += found.putBack;
	}

	const seconds = Math.round((performance.now() - startedAt) / 1000);
	say(
		`  ${counts.races} races in ${seconds} s, ${counts.swapped} told in swapped order; ${counts.putBack} texts were written over and put back`,
	);
	return {races: counts.races, lost, doubled};
}

const ORDERS = ['person first', 'together', 'person last'] as const;

function makeRaces(people: readonly Person[], {round, draftsEach}: {round: number; draftsEach: number}): Race[] {
	return Array.from({length: draftsEach}, (_, index) =>
		people.map((person, place): Race => {
			const n = index * people.length + place + round;
			const key = `${round}-${index}`;
			return {
				person,
				key,
				first: `bot ${key} first`,
				second: n % 4 === 3 ? undefined : `bot ${key} second`,
				typed: `typed ${key}`,
				order: ORDERS[n % 3] ?? 'together',
				apartMs: n % 5,
				isSwapped: Math.floor(n / 3) % 2 === 0,
				draftId: 0,
				isTyped: undefined,
			};
		}),
	).flat();
}

async function runRound(races: readonly Race[], house: House, timeoutMs: number) {
	const {people, store, queue} = house;
	const put = ({person, key}: Race, text: string) =>
		store.put(accountTag(person), BOT, {key, target: '{"channel":"general","topic":"races"}', text});
	const sync = async () => {
		await Promise.all(people.map(person => enqueueSync(queue, person)));
		await Promise.all(people.map(person => settled(store, person, timeoutMs)));
	};

	await Promise.all(races.map(race => put(race, race.first)));
	await sync();
	house.races.clear();
	for (const person of people) {
		const ids = new Map((await person.client.getDrafts()).drafts.map(({id, content}) => [content, id]));
		for (const race of races.filter(race => race.person === person)) {
			race.draftId = ids.get(race.first) ?? 0;
			house.races.set(race.draftId, race);
		}
	}

	await Promise.all(
		races.map(race =>
			race.second === undefined ? store.remove(accountTag(race.person), BOT, race.key) : put(race, race.second),
		),
	);
	await sync();
	const found = await judge(races, people);

	// As long as the bot wants its drafts, no worker deletes one at the same time.
	for (const {client} of people) {
		for (const {id} of (await client.getDrafts()).drafts) {
			await client.deleteDraft({draft_id: id});
		}
	}

	await Promise.all(races.map(({person, key}) => store.remove(accountTag(person), BOT, key)));
	await sync();
	return found;
}

/** The service has everything that the bot wants, and nothing must be restored. */
async function settled(store: DraftStore, person: Person, timeoutMs: number): Promise<void> {
	for (const end = performance.now() + timeoutMs; performance.now() < end; await sleep(50)) {
		const {wanted, known, journal} = await store.load(accountTag(person));
		const isOpen = [...wanted].some(([field, {rev, text}]) => {
			const found = known.get(field);
			return text === null || found?.rev !== rev || found.status.kind === 'waiting';
		});
		if ((!journal || journal.isRead) && !isOpen && ![...known.values()].some(({isRestored}) => isRestored)) {
			return;
		}
	}

	throw new Error(`Expected the drafts of ${person.email} to be synced within ${timeoutMs} ms`);
}

async function judge(races: readonly Race[], people: readonly Person[]) {
	const lost: string[] = [];
	const doubled: string[] = [];
	let putBack = 0;
	for (const person of people) {
		const {drafts: found} = await person.client.getDrafts();
		const countOf = (text: string) => found.filter(({content}) => content === text).length;
		for (const race of races.filter(race => race.person === person)) {
			const {typed, second, first, draftId, isTyped, order, isSwapped} = race;
			const how = `${person.email} ${typed} (${order}${isSwapped ? ', swapped' : ''})`;
			const standing = found.find(({id}) => id === draftId)?.content;
			const isWritten = second === undefined ? countOf(first) === 0 : standing === second || standing === typed;
			lost.push(...(isTyped && countOf(typed) === 0 ? [how] : []));
			lost.push(...(isTyped === undefined || !isWritten ? [`${how}: what the bot wrote`] : []));
			doubled.push(...(countOf(typed) > 1 || (second !== undefined && countOf(second) > 1) ? [how] : []));
			putBack += isTyped && standing !== typed && countOf(typed) > 0 ? 1 : 0;
		}
	}

	return {lost, doubled, putBack};
}
