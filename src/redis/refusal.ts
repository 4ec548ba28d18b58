// Why a Redis does not serve us, and the cure. For people.

import {readRedisUrl} from './redis-url.js';

/** The reason inside an error of ioredis: a Cluster wraps it. */
export function reasonOf(error: Error): string {
	const inner = 'lastNodeError' in error ? error.lastNodeError : undefined;
	return inner instanceof Error ? inner.message : error.message;
}

const CURES: readonly (readonly [reason: RegExp, cure: string])[] = [
	[
		/WRONGPASS|NOAUTH|without any password configured/,
		'Correct user and password in REDIS_URL: redis://user:password@host:6379, special characters percent-encoded.',
	],
	[/MISCONF/, 'Free space on the disk of Redis. It then accepts writes again.'],
	[/NOPERM/, 'Give the user in REDIS_URL the rights that docs/operating.md lists.'],
	[
		/certificate|CERT_|self-signed|altnames/i,
		"Set NODE_EXTRA_CA_CERTS to your authority's file, and name the host in REDIS_URL as the certificate does.",
	],
];

/** A plain Redis waits for more after the first bytes of TLS. */
const PLAIN = /was not ready|ETIMEDOUT|wrong version number|packet length|secure TLS connection/;
const WANTS_TLS = /ECONNRESET|EPIPE|Protocol error|Connection is closed/;

/** What to do about it. Undefined if Redis may just be away. */
export function cureOf(error: Error, url: string): string | undefined {
	const reason = reasonOf(error);
	const known = CURES.find(([pattern]) => pattern.test(reason))?.[1];
	if (known !== undefined) {
		return known;
	}

	const isTls = readRedisUrl(url)?.options.tls !== undefined;
	if (isTls ? !PLAIN.test(reason) : !WANTS_TLS.test(reason)) {
		return undefined;
	}

	// A proxy, too, closes connections while the Redis behind it is down.
	const [wrong, right] = isTls
		? ['has no TLS', 'redis:// instead of rediss://']
		: ['wants TLS', 'rediss:// instead of redis://'];
	return `Check that Redis runs, and a proxy before it. If this port ${wrong}, write ${right} in REDIS_URL.`;
}
