// A console beside a house: the accounts, Redis and realm are real.

import type {Redis} from 'ioredis';
import type {Page} from 'playwright-core';
import {readAccounts} from '../../src/config/accounts.js';
import {readSettings} from '../../src/config/settings.js';
import {openConsole} from '../../src/console/open-console.js';
import {createTeardown} from '../../src/host/teardown.js';
import {createLog} from '../../src/log.js';
import {setPrefix} from '../../src/redis/account-key.js';
import {CALM, type Scope} from '../helpers/bothy.js';
import {connect} from '../helpers/redis.js';

export const TOKEN = 'a-token-of-operators';

export interface OpenedConsole {
	readonly url: string;
	readonly redis: Redis;
	close(): Promise<void>;
}

/** `env` has the accounts and REDIS_URL. */
export async function startConsole(t: Scope, env: NodeJS.ProcessEnv): Promise<OpenedConsole> {
	const own = {...CALM, ADMIN_TOKEN: TOKEN, PATH: process.env.PATH, HOME: process.env.HOME, ...env};
	const settings = readSettings(own);
	const teardown = createTeardown(() => {});
	t.teardown(() => teardown.run());
	const host = {settings, log: createLog({level: 'silent', pretty: false}), teardown};
	const redisUrl = settings.REDIS_URL;
	const redis = await connect(t, redisUrl);
	setPrefix(redis, settings.REDIS_PREFIX);
	const accountsOf = (opened: typeof host) => readAccounts(opened.settings);
	const url = await openConsole(host, {redisUrl, accountsOf, env: own, port: 0, reloads: false});
	return {url, redis, close: () => teardown.run()};
}

interface Request {
	readonly cookie?: string;
	readonly origin?: string | null;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

/** A POST as the page sends it, unless something is different. */
export function post(url: string, path: string, {cookie = '', origin = url, body = {}, headers = {}}: Request = {}) {
	return fetch(`${url}/api/${path}`, {
		method: 'POST',
		headers: {'content-type': 'application/json', cookie, ...(origin !== null && {origin}), ...headers},
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
}

/** The cookie of a new session. */
export async function signInByApi(url: string, token = TOKEN): Promise<string> {
	const response = await post(url, 'sign-in', {body: {who: 'Olga', token}});
	return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

export async function get(url: string, path: string, cookie: string): Promise<Response> {
	return fetch(`${url}/api/${path}`, {headers: {cookie}});
}

export async function signInOnPage(page: Page, url: string): Promise<void> {
	await page.goto(url);
	await page.getByLabel('Your name').fill('Olga');
	await page.getByLabel('Token').fill(TOKEN);
	await page.getByRole('button', {name: 'Sign in'}).click();
	await page.getByRole('heading', {name: 'Needs attention'}).waitFor();
}
