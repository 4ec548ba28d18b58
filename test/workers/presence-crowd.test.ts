// As many as a large organization has. A file of its own: it takes several intervals, in which it mostly waits.

import {setTimeout as sleep} from 'node:timers/promises';
import test from 'ava';
import {connect, startRedis} from '../helpers/redis.js';
import {countCommands, openSite, startPresence, until} from './presence-kit.js';

test('a thousand accounts on ten sites are pinged once in each interval, evenly, for few commands', async t => {
	const redisUrl = await startRedis(t);
	const redis = await connect(t, redisUrl);
	const intervalMs = 15_000;
	const sites = await Promise.all(
		Array.from({length: 10}, (_, n) => openSite(t, {people: 100, name: `site${n}`, pingSeconds: 15})),
	);
	const accounts = sites.flatMap(site => site.accounts);
	const count = (operation: string) =>
		sites.reduce((sum, {calls}) => sum + calls.filter(call => call.operation === operation).length, 0);

	// As in the product, a job lasts half an interval.
	const worker = await startPresence(t, redisUrl, {accounts, lastsMs: intervalMs / 2});
	await until(
		() => sites.every(({accounts: own, pingsOf}) => own.every(account => pingsOf(account).length > 0)),
		100_000,
	);
	const [pingsBefore, commandsBefore] = [count('updatePresence'), await countCommands(redis)];
	const since = Date.now();
	await sleep(3 * intervalMs);
	const commands = (await countCommands(redis)) - commandsBefore;
	const pings = count('updatePresence') - pingsBefore;
	const intervals = (Date.now() - since) / intervalMs;
	await worker.close();

	const times = sites.flatMap(({accounts: own, pingsOf}) =>
		own.map(account => pingsOf(account).filter(at => at >= since)),
	);
	const gaps = times.flatMap(at => at.slice(1).map((time, n) => time - (at[n] ?? 0)));
	// On this clock, four times as fast as the product's, a machine that stands still for 7 s costs a ping.
	const expected = 1_000 * intervals;
	t.true(Math.abs(pings - expected) < expected / 10, `${pings} pings in ${intervals.toFixed(2)} intervals`);
	t.is(times.filter(at => at.length >= 1).length, 1_000);
	t.true(Math.min(...gaps) > intervalMs / 3, `the shortest gap was ${Math.min(...gaps)} ms`);
	t.true(Math.max(...gaps) < intervalMs * 2.5, `the longest gap was ${Math.max(...gaps)} ms`);
	const tenths = Array.from({length: 10}, (_, n) => since + intervalMs + (n * intervalMs) / 10).map(
		from => times.flat().filter(at => at >= from && at < from + intervalMs / 10).length,
	);
	t.true(Math.max(...tenths) < 300, `pings in tenths of an interval: ${tenths.join(' ')}`);
	t.log(`${pings} pings, ${(commands / pings).toFixed(2)} commands each; tenths of an interval: ${tenths.join(' ')}`);
	t.true(commands / pings <= 2, `${commands} commands for ${pings} pings`);
	const questions = count('getOwnUser');
	// One that a busy machine answered too late is asked again.
	t.true(questions >= 1_000 && questions <= 1_020, `whether they are bots was asked ${questions} times`);
	t.deepEqual(worker.warnings, []);
});
