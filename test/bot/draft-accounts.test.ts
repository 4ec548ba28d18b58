import test from 'ava';
import {createDraftAccounts} from '../../src/bot/draft-accounts.js';

const account = (name: string, site: string) => ({name, site, email: 'alice@example.com'});

/** The site of each account that was written to. */
function openDrafts() {
	const woken: string[] = [];
	const draftsOf = createDraftAccounts({
		accounts: [account('alice', 'https://one'), account('alice-two', 'https://two')],
		store: {put: async () => {}, remove: async () => {}, list: async () => []},
		enqueue: async ({site}) => void woken.push(site),
	});
	const put = (bot: string, name: string) =>
		draftsOf({site: bot, email: 'bot@example.com'}, name).put('key', {channel: 'general', topic: 'tea'}, 'text');
	return {put, woken};
}

test("an email names an account on the bot's own site alone, a section any", async t => {
	const {put, woken} = openDrafts();

	await put('https://two', 'Alice@example.com');
	await put('https://one', 'alice@example.com');
	await put('https://one', 'alice-two');

	t.deepEqual(woken, ['https://two', 'https://one', 'https://two']);
	t.throws(() => put('https://three', 'alice@example.com'), {name: 'UnknownAccount'});
});
