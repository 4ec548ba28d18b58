import test from 'ava';
import {readSettings} from '../../src/config/settings.js';
import {openDrafts} from '../../src/host/bot-drafts.js';
import {createTeardown} from '../../src/host/teardown.js';
import {createLog} from '../../src/log.js';
import {createAvailability} from '../../src/redis/availability.js';
import {connectRedis} from '../../src/redis/connection.js';
import {connect, startRedis} from '../helpers/redis.js';

test('drafts wait for Redis like everything else that a bot stores', async t => {
	const url = await startRedis(t);
	const redis = await connect(t, url);
	const pid = Number(/process_id:(\d+)/.exec(await redis.info('server'))?.[1]);
	const thaw = () => process.kill(pid, 'SIGCONT');
	t.teardown(thaw);
	const connection = connectRedis(url, {failFast: true, listener: {onLost() {}, onBack() {}}});
	t.teardown(() => connection.disconnect());
	await new Promise(resolve => connection.once('ready', resolve));
	const log = createLog({level: 'silent', pretty: false});
	const availability = createAvailability({probe: () => connection.set('{bothy}:probe', '1'), log});
	const teardown = createTeardown(() => {});
	t.teardown(() => teardown.run());
	const account = {name: 'alice', site: 'https://chat.example.com', email: 'alice@example.com'};
	const host = {settings: readSettings({}), log, teardown};
	const draftsOf = openDrafts(host, {connection, accounts: [account as never]});
	const drafts = draftsOf({site: account.site, email: 'bot@example.com'}, 'alice');

	process.kill(pid, 'SIGSTOP');
	const put = availability.retry(
		() => drafts.put('plan', {dm: [9]}, 'a plan'),
		() => false,
	);
	while (!availability.isAway) {
		await new Promise(setImmediate);
	}

	thaw();
	await put;

	t.deepEqual(
		(await drafts.list()).map(({text}) => text),
		['a plan'],
	);
});
