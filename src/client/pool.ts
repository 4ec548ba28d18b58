// Connections to a site: kept alive, through a proxy if there is one, with the certificates that the account's file names.

import type {Dispatcher} from 'undici';
import {loadUndici} from './undici.js';

/** Certificates as PEM text, under their names in `zuliprc` files. */
export interface Tls {
	/** `cert_bundle`: authorities to trust instead of the well-known ones. */
	readonly ca?: string;
	/** `client_cert`: our own certificate. */
	readonly cert?: string;
	/** `client_cert_key`: its key, if it is not in the same file. */
	readonly key?: string;
	/** `insecure`: false accepts any certificate. */
	readonly rejectUnauthorized?: false;
}

export interface PoolOptions {
	readonly tls?: Tls | undefined;
	/** URL of the proxy for sites with `https`. */
	readonly proxy?: string | undefined;
	/** Hosts that are reached without the proxy, comma-separated. */
	readonly noProxy?: string;
}

const CONNECTIONS = 128;

export function createPool(site: string, {tls = {}, proxy, noProxy = ''}: PoolOptions = {}): Dispatcher {
	const {EnvHttpProxyAgent, Pool} = loadUndici();
	const {origin, protocol} = new URL(site);
	if (proxy === undefined || protocol !== 'https:') {
		return new Pool(origin, {connections: CONNECTIONS, allowH2: false, connect: tls});
	}

	return new EnvHttpProxyAgent({
		httpProxy: '',
		httpsProxy: proxy,
		noProxy,
		connections: CONNECTIONS,
		allowH2: false,
		connect: tls,
		requestTls: tls,
	});
}
