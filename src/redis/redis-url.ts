// What a REDIS_URL names: one server, the nodes of a Cluster, or a master behind Sentinels.
//
//   redis://[user:password@]host[:6379][/db]                        one server; rediss:// with TLS
//   unix://[user:password@]/path/of/redis.sock[?db=…]               one server on this machine, by its socket
//   redis://host:7000,redis://host:7001                             nodes of a Cluster
//   redis+cluster://[user:password@]host:7000,host:7001             the same, the password once
//   redis+sentinel://[user:password@]host:26379,host:26379/master[/db][?sentinel_password=…]
//   redis-sentinel://…[/db]#master                                  the same, as Java's clients write it

interface Address {
	readonly host: string;
	readonly port: number;
}

/** With ioredis's names. */
interface ServerOptions {
	readonly username?: string;
	readonly password?: string;
	readonly db?: number;
	/** A socket on this machine. There are no nodes then. */
	readonly path?: string;
	/** Present if the connection is encrypted. */
	readonly tls?: object;
}

interface SentinelOptions extends ServerOptions {
	/** Name of the master. */
	readonly name: string;
	readonly sentinelPassword?: string;
	readonly sentinelTLS?: object;
	readonly enableTLSForSentinelMode?: boolean;
}

export type RedisPlace = {readonly nodes: readonly Address[]} & (
	| {readonly kind: 'server' | 'cluster'; readonly options: ServerOptions}
	| {readonly kind: 'sentinel'; readonly options: SentinelOptions}
);

const FORM = /^redis(s?)(?:[+-](cluster|sentinel))?:\/\/(.+)$/;

const SOCKET_FORM = /^unix:\/\/([^/?#]*@)?(\/[^?#]+)(\?.*)?$/;

/** Login, hosts, and the rest. An @ in the rest belongs to a password with unescaped special characters. */
const PARTS = /^([^/?#]*@)?([^/?#@]+)([/?#][^@]*)?$/;

/** Makes the next node's URL: only the first has the login. */
const NEXT_URL = /\/?,rediss?:\/\/([^/?#@,]*@)?/g;

/** Undefined if the text is no such URL. */
export function readRedisUrl(text: string): RedisPlace | undefined {
	try {
		return readSocketUrl(text) ?? read(text);
	} catch {
		// An invalid address or escape.
		return undefined;
	}
}

/** The URL of a server on this machine. */
export function socketUrl(path: string): string {
	return `unix://${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** The hosts or the socket, for people. Without the login. */
export function nameRedis(url: string): string {
	const {kind = 'server', nodes = [], options} = readRedisUrl(url) ?? {};
	if (options?.path !== undefined) {
		return options.path;
	}

	const hosts = nodes.map(({host, port}) => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`));
	return `${kind === 'server' ? '' : `${kind} `}${hosts.join(', ')}`;
}

function readSocketUrl(text: string): RedisPlace | undefined {
	const [, login = '', path, query = ''] = SOCKET_FORM.exec(text) ?? [];
	if (path === undefined) {
		return undefined;
	}

	const {username, password, searchParams} = new URL(`redis://${login}host${query}`);
	const db = searchParams.get('db') ?? '';
	if (!/^\d*$/.test(db) || searchParams.size > (db === '' ? 0 : 1)) {
		return undefined;
	}

	return {
		kind: 'server',
		nodes: [],
		options: {...serverOptions({username, password, db}), path: decodeURIComponent(path)},
	};
}

function serverOptions({username, password, db}: {username: string; password: string; db: string}): ServerOptions {
	return {
		...(username && {username: decodeURIComponent(username)}),
		...(password && {password: decodeURIComponent(password)}),
		...(Number(db) > 0 && {db: Number(db)}),
	};
}

function read(text: string): RedisPlace | undefined {
	const [, isTls, form, body = ''] = FORM.exec(text) ?? [];
	const [, login = '', hosts = '', rest = ''] = PARTS.exec(body.replaceAll(NEXT_URL, ',')) ?? [];
	const isSentinel = form === 'sentinel';
	const nodes = hosts.split(',').map(host => readAddress(host, isSentinel ? 26_379 : 6_379));
	// A URL has one host, so this one replaces the list.
	const {username, password, pathname, hash, searchParams} = new URL(`redis://${login}host${rest}`);
	const [first = '', ...others] = decodeURIComponent(pathname.slice(1)).split('/');
	const master = decodeURIComponent(hash.slice(1)) || (isSentinel ? first : '');
	const db = isSentinel && hash === '' ? (others.shift() ?? '') : first;
	const isCluster = form === 'cluster' || (!isSentinel && nodes.length > 1);
	const sentinelPassword = searchParams.get('sentinel_password');
	const isMeant =
		/^\d*$/.test(db) &&
		others.length === 0 &&
		// A Cluster has one database.
		!(isCluster && Number(db) > 0) &&
		isSentinel === (master !== '') &&
		searchParams.size === (isSentinel && sentinelPassword !== null ? 1 : 0);
	if (!isMeant) {
		return undefined;
	}

	const options = {...serverOptions({username, password, db}), ...(isTls && {tls: {}})};
	if (!isSentinel) {
		return {kind: isCluster ? 'cluster' : 'server', nodes, options};
	}

	const sentinels = {
		...(sentinelPassword && {sentinelPassword}),
		...(isTls && {sentinelTLS: {}, enableTLSForSentinelMode: true}),
	};
	return {kind: 'sentinel', nodes, options: {...options, ...sentinels, name: master}};
}

function readAddress(text: string, defaultPort: number): Address {
	const {hostname, port, pathname} = new URL(`redis://${text}`);
	if (hostname === '' || pathname !== '') {
		throw new RangeError('Expected a host');
	}

	return {host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || defaultPort)};
}
