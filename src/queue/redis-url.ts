// What a REDIS_URL names: one server, the nodes of a Cluster, or a master that Sentinels know.
//
//   redis://[user:password@]host[:6379][/db]                        one server; rediss:// with TLS
//   redis://host:7000,redis://host:7001                             nodes of a Cluster
//   redis+cluster://[user:password@]host:7000,host:7001             the same, the password once
//   redis+sentinel://[user:password@]host:26379,host:26379/master[/db][?sentinel_password=…]
//   redis-sentinel://…#master                                       the same, as Java's clients write it

interface Credentials {
	readonly username?: string;
	readonly password?: string;
	/** Present where the connection is encrypted. */
	readonly tls?: object;
}

interface Address {
	readonly host: string;
	readonly port: number;
}

export type RedisPlace =
	| {readonly kind: 'server'; readonly url: string}
	| {readonly kind: 'cluster'; readonly nodes: readonly Address[]; readonly options: Credentials}
	| {
			readonly kind: 'sentinel';
			readonly sentinels: readonly Address[];
			readonly master: string;
			readonly options: Credentials & {
				readonly db?: number;
				readonly sentinelPassword?: string;
				readonly enableTLSForSentinelMode?: boolean;
			};
	  };

const SENTINEL_PORT = 26_379;
const PORT = 6_379;

/** Undefined where the text is no such URL. */
export function readRedisUrl(text: string): RedisPlace | undefined {
	const scheme = /^(rediss?)([+-](?:cluster|sentinel))?:\/\//.exec(text);
	if (!scheme) {
		return undefined;
	}

	const [start, plain = '', kind = ''] = scheme;
	const tls = plain === 'rediss' ? {tls: {}} : {};
	if (kind === '') {
		return text.includes(',') ? readCluster(text) : isUrl(text) ? {kind: 'server', url: text} : undefined;
	}

	// A URL has one host: the list stands in for it while the rest is read.
	const parts = /^([^/?#]*@)?([^/?#@]+)(.*)$/.exec(text.slice(start.length));
	const nodes = readAddresses(parts?.[2] ?? '', kind.endsWith('cluster') ? PORT : SENTINEL_PORT);
	const rest = `redis://${parts?.[1] ?? ''}host${parts?.[3] ?? ''}`;
	if (!nodes || !URL.canParse(rest)) {
		return undefined;
	}

	const url = new URL(rest);
	if (kind.endsWith('cluster')) {
		return {kind: 'cluster', nodes, options: {...credentialsOf(url), ...tls}};
	}

	const [first = '', second] = url.pathname.split('/').slice(1);
	const isJavas = url.hash !== '';
	const master = decodeURIComponent(isJavas ? url.hash.slice(1) : first);
	const db = Number((isJavas ? first : second) || 0);
	const sentinelPassword = url.searchParams.get('sentinel_password');
	return master === '' || !Number.isInteger(db)
		? undefined
		: {
				kind: 'sentinel',
				sentinels: nodes,
				master,
				options: {
					...credentialsOf(url),
					...(db > 0 && {db}),
					...(sentinelPassword !== null && {sentinelPassword}),
					...(plain === 'rediss' && {tls: {}, enableTLSForSentinelMode: true}),
				},
			};
}

function readCluster(text: string): RedisPlace | undefined {
	const urls = text.split(',');
	if (!urls.every(isUrl)) {
		return undefined;
	}

	const [first, ...others] = urls.map(url => new URL(url));
	const nodes = [first, ...others].map(url => ({host: hostOf(url), port: Number(url?.port || PORT)}));
	return {kind: 'cluster', nodes, options: {...credentialsOf(first), ...(first?.protocol === 'rediss:' && {tls: {}})}};
}

function isUrl(text: string): boolean {
	return /^rediss?:\/\/[^\s/]/.test(text) && URL.canParse(text);
}

function hostOf(url: URL | undefined): string {
	return (url?.hostname ?? '').replace(/^\[(.*)\]$/, '$1');
}

function readAddresses(text: string, defaultPort: number): Address[] | undefined {
	const urls = text.split(',').map(address => `redis://${address}`);
	return urls.every(isUrl)
		? urls.map(url => new URL(url)).map(url => ({host: hostOf(url), port: Number(url.port || defaultPort)}))
		: undefined;
}

function credentialsOf(url: URL | undefined): Credentials {
	const [username, password] = [url?.username, url?.password].map(part => decodeURIComponent(part ?? ''));
	return {...(username && {username}), ...(password && {password})};
}
