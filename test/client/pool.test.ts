// Connections with certificates and through proxies, all of them real.

import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer as createProxy} from 'node:http';
import {createServer, type ServerOptions} from 'node:https';
import {type AddressInfo, connect} from 'node:net';
import {fileURLToPath} from 'node:url';
import {inspect} from 'node:util';
import test, {type ExecutionContext} from 'ava';
import {type Client, createClient} from '../../src/client/client.js';
import {NetworkError} from '../../src/client/errors.js';
import {createFetchOnce} from '../../src/client/fetch.js';
import {createPool} from '../../src/client/pool.js';
import {readAccounts} from '../../src/config/accounts.js';
import {ConfigError} from '../../src/config/error.js';
import {readSettings} from '../../src/config/settings.js';
import {poolOptions} from '../../src/host/clients.js';
import {CALM, runBothy} from '../helpers/bothy.js';

/** Made by the tests' own authority. Valid until 2120. */
const fileOf = (name: string) => fileURLToPath(new URL(`../../../test/client/certificates/${name}`, import.meta.url));
const pem = (name: string) => readFileSync(fileOf(name), 'utf8');

const KEY = 'abcdefghijklmnopqrstuvwxyz012345';

async function openSite(t: ExecutionContext, options: ServerOptions = {}) {
	const requests: string[] = [];
	const server = createServer({cert: pem('server.pem'), key: pem('server.pem'), ...options}, (request, response) => {
		requests.push(`${request.method} ${request.headers.host}`);
		response.end('{"result":"success","msg":"","zulip_version":"11","zulip_feature_level":400}\n');
	});
	server.on('tlsClientError', () => {});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.teardown(() => {
		server.close();
		server.closeAllConnections();
	});
	return {port: (server.address() as AddressInfo).port, requests};
}

/** Tunnels to any requested host. `authorization` is the header that it expects. */
async function openProxy(t: ExecutionContext, {authorization}: {authorization?: string} = {}) {
	const tunnels: string[] = [];
	const proxy = createProxy((_, response) => response.writeHead(500).end());
	proxy.on('connect', (request, socket) => {
		tunnels.push(String(request.url));
		socket.on('error', () => {});
		if (request.headers['proxy-authorization'] !== authorization) {
			socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
			return;
		}

		const {hostname, port} = new URL(`http://${request.url}`);
		const onward = connect(Number(port), hostname, () => {
			socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
			onward.pipe(socket).pipe(onward);
		});
		onward.on('error', () => socket.destroy());
		socket.on('close', () => onward.destroy());
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	t.teardown(() => {
		proxy.close();
		proxy.closeAllConnections();
	});
	return {port: (proxy.address() as AddressInfo).port, tunnels};
}

interface Config {
	readonly environment?: Readonly<Record<string, string>>;
	/** More keys for the account's section. */
	readonly keys?: Readonly<Record<string, string>>;
}

const accountsOf = (site: string, {environment = {}, keys = {}}: Config) => ({
	...CALM,
	BOTHY_CONFIG_JSON: JSON.stringify({echo: {email: 'echo-bot@localhost', key: KEY, site, ...keys}}),
	...environment,
});

/** A client as a process makes it from its configuration. */
function openClient(t: ExecutionContext, site: string, config: Config = {}): Client {
	const settings = readSettings(accountsOf(site, config));
	const [account] = readAccounts(settings);
	if (!account) {
		throw new Error('Expected an account, found none');
	}

	const pool = createPool(site, poolOptions(settings, account));
	t.teardown(() => pool.destroy());
	return createClient({...account, pool, userAgent: 'Bothy/1.2.3'});
}

const TRUST = {cert_bundle: fileOf('authority.pem')};
const CERTIFICATE = {client_cert: fileOf('client.pem'), client_cert_key: fileOf('client-key.pem')};
const DEMANDING = {requestCert: true, rejectUnauthorized: true, ca: pem('authority.pem')};

test('no request is sent to a site with a certificate of an unknown authority', async t => {
	const {port, requests} = await openSite(t);

	const error = await t.throwsAsync(openClient(t, `https://localhost:${port}`).getServerSettings(), {
		instanceOf: NetworkError,
	});

	t.false(error?.mayHaveArrived);
	t.deepEqual(requests, []);
});

test('`cert_bundle` names the trusted authority', async t => {
	const {port, requests} = await openSite(t);

	await openClient(t, `https://localhost:${port}`, {keys: TRUST}).getServerSettings();

	t.deepEqual(requests, [`GET localhost:${port}`]);
});

test('`insecure` accepts any certificate, and a warning says so', async t => {
	const {port, requests} = await openSite(t);
	const site = `https://localhost:${port}`;

	await t.throwsAsync(openClient(t, site, {keys: {insecure: 'false'}}).getServerSettings(), {instanceOf: NetworkError});
	await openClient(t, site, {keys: {insecure: 'true'}}).getServerSettings();

	t.is(requests.length, 1);
});

test('`client_cert` is presented to a site that requests it', async t => {
	const {port, requests} = await openSite(t, DEMANDING);
	const site = `https://localhost:${port}`;

	await t.throwsAsync(openClient(t, site, {keys: TRUST}).getServerSettings(), {instanceOf: NetworkError});
	await openClient(t, site, {keys: {...TRUST, ...CERTIFICATE}}).getServerSettings();

	t.is(requests.length, 1);
});

for (const [keys, message] of [
	[{insecure: 'yes'}, /echo\.insecure: expected `true` or `false` in `insecure`, found "yes"/],
	[{cert_bundle: 'none.pem'}, /echo\.cert_bundle: expected a readable file in `cert_bundle`, found none/],
	[{client_cert: 'package.json'}, /echo\.client_cert: expected certificates as PEM text .* package\.json/],
	[{client_cert_key: TRUST.cert_bundle}, /expected `client_cert` together with `client_cert_key`, found none/],
] satisfies [Record<string, string>, RegExp][]) {
	test(`the start stops at ${Object.entries(keys).map(pair => pair.join(' = '))}`, t => {
		const start = () => readAccounts(readSettings(accountsOf('https://localhost', {keys})));

		t.throws(start, {instanceOf: ConfigError, message});
	});
}

test('calls go through HTTPS_PROXY, with the certificates of both sides', async t => {
	const [{port, requests}, proxy] = [await openSite(t, DEMANDING), await openProxy(t)];

	await openClient(t, `https://localhost:${port}`, {
		keys: {...TRUST, ...CERTIFICATE},
		environment: {https_proxy: `http://127.0.0.1:${proxy.port}`},
	}).getServerSettings();

	t.deepEqual(proxy.tunnels, [`localhost:${port}`]);
	t.deepEqual(requests, [`GET localhost:${port}`]);
});

test('a proxy does not make a site trusted', async t => {
	const [{port, requests}, proxy] = [await openSite(t), await openProxy(t)];
	const HTTPS_PROXY = `http://127.0.0.1:${proxy.port}`;

	const client = openClient(t, `https://localhost:${port}`, {environment: {HTTPS_PROXY}});

	await t.throwsAsync(client.getServerSettings(), {instanceOf: NetworkError});
	t.deepEqual(requests, []);
});

test('a host of NO_PROXY is reached without the proxy', async t => {
	const [{port, requests}, proxy] = [await openSite(t), await openProxy(t)];

	await openClient(t, `https://localhost:${port}`, {
		keys: TRUST,
		environment: {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: 'example.com,localhost'},
	}).getServerSettings();

	t.deepEqual(proxy.tunnels, []);
	t.is(requests.length, 1);
});

test('a proxy gets the password from its URL, and no error contains it', async t => {
	const {port} = await openSite(t);
	const proxy = await openProxy(t, {authorization: `Basic ${Buffer.from('me:se cret').toString('base64')}`});
	const through = (user: string) =>
		openClient(t, `https://localhost:${port}`, {
			keys: TRUST,
			environment: {HTTPS_PROXY: `http://${user}@127.0.0.1:${proxy.port}`},
		}).getServerSettings();

	t.is((await through('me:se%20cret')).zulip_feature_level, 400);
	const error = await t.throwsAsync(through('me:wrongword'), {instanceOf: NetworkError});

	t.false(error?.mayHaveArrived);
	t.notRegex(inspect(error), /wrongword/);
});

test('`ctx.fetch()` reaches HTTPS hosts through the proxy, except for those that need none', async t => {
	const {port, requests} = await openSite(t);
	const proxy = await openProxy(t);
	const settings = {proxy: `http://127.0.0.1:${proxy.port}`, noProxy: 'localhost'};
	const read = (host: string) =>
		createFetchOnce(settings)(`https://${host}:${port}/menu`, {signal: AbortSignal.timeout(60_000)});

	// Nobody trusts the site, with or without a proxy.
	await t.throwsAsync(read('127.0.0.1'), {message: 'fetch failed'});
	t.deepEqual(proxy.tunnels, [`127.0.0.1:${port}`]);
	await t.throwsAsync(read('localhost'), {message: 'fetch failed'});
	t.is(proxy.tunnels.length, 1);
	t.deepEqual(requests, []);
});

test('an invalid proxy URL prevents the start, and the error does not contain it', t => {
	const error = t.throws(() => readSettings({HTTPS_PROXY: 'me:password@proxy'}), {instanceOf: ConfigError});

	t.is(error?.message, 'HTTPS_PROXY: expected a URL such as http://proxy.example.com:3128');
});

test('`bothy call` uses the same proxy and certificates', async t => {
	const [{port}, proxy] = [await openSite(t), await openProxy(t)];
	const environment = {HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, LOG_LEVEL: 'silent'};

	const {code, output} = await runBothy(
		['call', 'getServerSettings'],
		accountsOf(`https://localhost:${port}`, {keys: TRUST, environment}),
	);

	t.is(code, 0, output);
	t.regex(output, /zulip_feature_level: 400/);
	t.deepEqual(proxy.tunnels, [`localhost:${port}`]);
});
