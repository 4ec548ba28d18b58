// What Prometheus reads from a `web` of several receivers and from a worker, and what our rules and our dashboard ask for.

import {readFileSync} from 'node:fs';
import test, {type ExecutionContext} from 'ava';
import {Registry} from 'prom-client';
import {readSettings} from '../../src/config/settings.js';
import {announce, readRunning} from '../../src/host/announce.js';
import {addStoredMetrics} from '../../src/host/metrics/stored-metrics.js';
import {createTeardown} from '../../src/host/teardown.js';
import {createLog} from '../../src/log.js';
import {openQueue} from '../../src/queue/define-queue.js';
import {sends} from '../../src/queue/sends.js';
import {startCommand} from '../helpers/bothy.js';
import {payload} from '../helpers/payload.js';
import {connect, startRedis} from '../helpers/redis.js';
import {runHere} from '../helpers/terminal.js';
import {until} from '../helpers/until.js';

const TOKEN = 'tttttttttttttttttttttttttttttttt';

async function start(t: ExecutionContext) {
	const echo = {email: 'echo-bot@bothy.example', key: 'k', site: 'http://127.0.0.1:9', token: TOKEN};
	const env = {
		REDIS_URL: await startRedis(t),
		PORT: '0',
		METRICS_PORT: '0',
		WEB_CONCURRENCY: '2',
		LOG_LEVEL: 'silent',
		BOTHY_CONFIG_JSON: JSON.stringify({echo}),
	};
	const [web, worker] = await Promise.all([
		startCommand(t, 'web', {env, ready: /Receiver +(\S+)/}),
		startCommand(t, 'worker', {env, ready: /Metrics +(\S+)/}),
	]);
	return {
		post: async (id: number, token: string) => {
			const {message, ...rest} = payload({botEmail: echo.email, text: 'hello', token});
			const response = await fetch(web.found, {
				method: 'POST',
				headers: {'content-type': 'application/json', connection: 'close'},
				body: JSON.stringify({...rest, message: {...message, id}}),
			});
			return response.status;
		},
		ofWeb: await web.find(/Metrics +(\S+)/),
		ofWorker: worker.found,
		run: (...args: string[]) => runHere(args, {env}),
	};
}

async function read(url: string): Promise<string> {
	const response = await fetch(url);
	return response.text();
}

/** Sum over the label sets that hold all of these. */
function sumOf(text: string, name: string, ...labels: string[]): number {
	const lines = text.split('\n').filter(line => new RegExp(`^${name}[ {]`).test(line));
	return lines
		.filter(line => labels.every(label => line.includes(label)))
		.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('two receivers give one sum, a worker gives the metrics in Redis, and rules and dashboard use no others', async t => {
	const {post, ofWeb, ofWorker, run} = await start(t);
	t.regex(ofWeb, /^http:\/\/127\.0\.0\.1:/);

	const statuses = await Promise.all(Array.from({length: 20}, (_, index) => post(100 + index, TOKEN)));
	t.deepEqual([...new Set(statuses)], [200]);
	t.is(await post(100, TOKEN), 200);
	for (const id of [500, 501, 502, 503]) {
		t.is(await post(id, 'wrong'), 401);
	}

	const web = await read(ofWeb);
	const worker = await read(ofWorker);

	t.is(sumOf(web, 'bothy_deliveries_total', 'bot="echo"', 'outcome="done"', 'answer="inline"'), 20);
	t.is(sumOf(web, 'bothy_deliveries_total', 'outcome="repeat"'), 1);
	t.is(sumOf(web, 'bothy_answer_seconds_count', 'bot="echo"'), 21);
	t.is(
		sumOf(web, 'bothy_handler_seconds_count', 'trigger="mention"') +
			sumOf(web, 'bothy_handler_seconds_count', 'trigger="direct_message"'),
		20,
	);
	t.is(sumOf(web, 'bothy_refused_webhooks_total', 'bot="echo"', 'reason="wrong_token"'), 4);
	t.is(sumOf(web, 'bothy_redis_up'), 1);
	t.is(sumOf(worker, 'bothy_stored_metrics_up'), 1);
	t.is(sumOf(worker, 'bothy_open_deliveries', 'bot="echo"'), 0);
	t.notRegex(web + worker, new RegExp(TOKEN));

	const status = async () => JSON.parse((await run('status', '--json')).output);
	// Without a minute's wait, in which a receiver could die.
	await until(async () => (await status()).bots[0].wrongTokens === 4);
	const {processes, bots} = await status();
	t.deepEqual(processes.map(({roles}: {roles: string[]}) => roles[0]).toSorted(), ['sends', 'web']);
	t.like(bots[0], {bot: 'echo', lastHour: 20, open: 0, unsettled: 0});
	const {output} = await run('doctor');
	t.regex(output, /^ok {7}Receivers: 1 `bothy web`/m);
	t.regex(output, /^warning {2}echo: 4 webhooks had a wrong token/m);

	const known = new Set([...`${web}\n${worker}`.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
	const asked = namesIn('prometheus/alerts.yml', 'grafana/bothy.json');
	t.true(asked.length > 15);
	t.deepEqual(
		asked.filter(name => !known.has(name)),
		[],
	);
	const ours = [...known].filter(name => name?.startsWith('bothy_'));
	const documented = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');
	t.deepEqual(
		ours.filter(name => !documented.includes(`\`${name}\``)),
		[],
	);
});

test('a worker whose clock is ten minutes ahead says so, and reports the right age of the last sweep and of a job', async t => {
	const redisUrl = await startRedis(t);
	const redis = await connect(t, redisUrl);
	const [seconds] = await redis.time();
	await redis.set('{bothy}:swept', Number(seconds) * 1000);
	const queue = openQueue(sends, redis);
	t.teardown(() => queue.close());
	await queue.add({v: 1, site: 'https://one', email: 'echo@x.example', delivery: 'a'});
	const {registry, host, refresh} = await openStored(t, redisUrl);
	const realNow = Date.now;
	Date.now = () => realNow() + 600_000;
	await refresh();
	announce(host, {redisUrl, roles: ['sends']});
	await until(async () => (await readRunning(redis)).length === 1);
	Date.now = realNow;

	const text = await registry.metrics();
	t.is(sumOf(text, 'bothy_stored_metrics_up'), 1);
	t.true(sumOf(text, 'bothy_last_sweep_age_seconds') < 300, text);
	const waited = sumOf(text, 'bothy_queue_oldest_job_seconds', 'queue="sends"');
	t.true(waited > 0 && waited < 300, text);
	t.true(Math.abs(sumOf(text, 'bothy_clock_skew_seconds') - 600) < 300, text);
	const echo = {email: 'echo-bot@bothy.example', key: 'k', site: 'http://127.0.0.1:9', token: TOKEN};
	const env = {REDIS_URL: redisUrl, BOTHY_CONFIG_JSON: JSON.stringify({echo})};
	t.regex((await runHere(['status'], {env})).output, /its clock is \d+ min ahead of that of Redis/);
});

test('while Redis is away, no old value looks like a current one', async t => {
	const redisUrl = await startRedis(t);
	const {registry, refresh} = await openStored(t, redisUrl);
	const stored = async () => {
		const text = await registry.metrics();
		return text.match(/^bothy_(?!stored_metrics_up).* .*$/gm) ?? [];
	};
	t.true((await stored()).length > 5);

	const redis = await connect(t, redisUrl);
	redis.shutdown('NOSAVE').catch(() => {});
	await until(async () => {
		await refresh();
		return sumOf(await registry.metrics(), 'bothy_stored_metrics_up') === 0;
	});

	t.deepEqual(await stored(), []);
});

/** The metrics in Redis, as a worker has them. */
async function openStored(t: ExecutionContext, redisUrl: string) {
	const log = createLog({level: 'silent', pretty: false});
	const teardown = createTeardown(error => t.log(String(error)));
	t.teardown(() => teardown.run());
	const registry = new Registry();
	const host = {settings: readSettings({}), log, teardown};
	const refresh = addStoredMetrics(registry, host, {redisUrl, accounts: []});

	// The connection opens.
	await until(async () => {
		await refresh();
		return sumOf(await registry.metrics(), 'bothy_stored_metrics_up') === 1;
	});
	return {registry, host, refresh};
}

function namesIn(...files: string[]): string[] {
	const texts = files.map(file => readFileSync(new URL(`../../../deploy/${file}`, import.meta.url), 'utf8'));
	checkDashboard(texts.at(-1) ?? '');
	const names = texts.flatMap(text =>
		[...text.matchAll(/\b(?:bothy|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name),
	);
	return [...new Set(names)].map(name => name.replace(/_(?:bucket|sum|count)$/, ''));
}

/** @throws where it is no dashboard. */
function checkDashboard(text: string): void {
	const {panels} = JSON.parse(text) as {panels: {targets: {expr: string}[]}[]};
	if (!panels.every(({targets}) => targets.every(({expr}) => expr !== ''))) {
		throw new Error('Expected each panel to have a query');
	}
}
