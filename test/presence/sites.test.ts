import test from 'ava';
import {ApiError, NetworkError} from '../../src/client/errors.js';
import {createSites} from '../../src/presence/sites.js';

test('a site is asked for its ping interval once an hour', async t => {
	let nowMs = 0;
	const site = createSites(() => nowMs)('https://chat.example.com');
	const ask = (answerMs: number) => site.intervalMs(async () => answerMs);

	t.is(await ask(30_000), 30_000);
	nowMs += 3_599_999;
	t.is(await ask(45_000), 30_000);
	nowMs += 1;
	t.is(await ask(45_000), 45_000);
});

test('in an outage the last known interval is used, and the site is asked again a minute later', async t => {
	let nowMs = 0;
	const site = createSites(() => nowMs)('https://chat.example.com');
	const fail = () => site.intervalMs(() => Promise.reject(new NetworkError('register', false, {cause: 'away'})));

	t.is(await fail(), 60_000);
	t.is(await site.intervalMs(async () => 30_000), 60_000);
	nowMs += 60_000;
	t.is(await site.intervalMs(async () => 30_000), 30_000);
	nowMs += 3_600_000;
	t.is(await fail(), 30_000);
});

test('if one account may not ask, the next one does', async t => {
	const site = createSites(() => 0)('https://chat.example.com');

	t.is(
		await site.intervalMs(() => Promise.reject(new ApiError('register', 'UNAUTHORIZED', 401, 'Invalid API key', {}))),
		60_000,
	);
	t.is(await site.intervalMs(async () => 30_000), 30_000);
});

test('each site has its own interval', t => {
	const siteOf = createSites(() => 0);

	t.is(siteOf('https://a.example.com'), siteOf('https://a.example.com'));
	t.not(siteOf('https://a.example.com'), siteOf('https://b.example.com'));
});
