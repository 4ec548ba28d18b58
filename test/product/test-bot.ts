// Stands in for `bothy/testing` in the tests of example bots: the same people talk to the same bot, in the whole product.

import {readdir} from 'node:fs/promises';
import {Pool} from 'undici';
import type {Bot} from '../../src/bot/bot.js';
import {servesAdministrators} from '../../src/bot/people.js';
import {createCronStore} from '../../src/delivery/crons.js';
import {createOutboxStore} from '../../src/delivery/outbox-store.js';
import {accountTag} from '../../src/delivery/ref.js';
import {createSchedules} from '../../src/delivery/schedules.js';
import {createClients} from '../../src/testing/clients.js';
import type {TestBotOptions} from '../../src/testing/index.js';
import {PEOPLE} from '../../src/testing/person.js';
import {createTalk, readTime, type Talk} from '../../src/testing/talk.js';
import {createClockwork} from './clockwork.js';
import {findHouse} from './houses.js';

/** Nothing fails here: what may go wrong has tests of its own. */
type HouseTalk = Omit<Talk, 'failed'>;

export async function testBot<Session, Config>(
	bot: Bot<Session, Config>,
	{name = 'Bot', config = {}, drafts = PEOPLE, now}: TestBotOptions<Config> = {},
): Promise<HouseTalk> {
	const work = bot as Bot<unknown, unknown>;
	const house = await findHouse(
		{
			plugin: await pluginOf(bot),
			name,
			isAdministrator: servesAdministrators(work),
			config: Object.fromEntries(Object.entries(config).map(([key, value]) => [key, String(value)])),
			drafts,
			crons: [...work.crons.keys()],
		},
		now === undefined ? undefined : readTime(now),
	);
	const organization = house.take();
	const {realm, account} = organization;
	const pool = new Pool(realm.url);
	house.onClose(() => pool.destroy());
	const speaking = new Set<Promise<unknown>>();
	const clockwork = createClockwork({house, organization, speaking});
	const schedules = createSchedules({
		outboxes: createOutboxStore(house.redis),
		crons: createCronStore(house.redis),
		wake: async () => {},
		now: house.now,
	});
	await clockwork.idle();
	const {talk} = createTalk({
		realm,
		account,
		name,
		host: {schedules: () => schedules.list(accountTag(account)), failed: async () => []},
		clientOf: createClients(realm, pool),
		speaking,
		idle: clockwork.idle,
		waitUntil: clockwork.waitUntil,
		check() {
			const [error] = house.errors();
			if (error !== undefined) {
				throw new Error(`A process of the house logged an error: ${error}`);
			}
		},
	});
	return talk;
}

/** The example bots, as they were built. */
const BOTS = new URL('../../bots/', import.meta.url);

/** By the file that a host would find it in. */
async function pluginOf(bot: unknown): Promise<string> {
	for (const file of (await readdir(BOTS)).filter(name => name.endsWith('.js'))) {
		const {default: found} = await import(new URL(file, BOTS).href);
		if (found === bot) {
			return file.slice(0, -'.js'.length);
		}
	}

	throw new Error('Expected a bot of bots/, which a host finds by its file; got another one');
}
