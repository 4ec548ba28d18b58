// Sessions of operators: a cookie that is signed with a key derived from ADMIN_TOKEN. So they hold over restarts and on all hosts,
// and end when the token changes. Redis remembers which were ended early.

import {createHmac, hash, hkdfSync, randomBytes, timingSafeEqual} from 'node:crypto';
import {z} from '../api/zod.js';
import {sharedKey} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';

export const SESSION_MS = 12 * 3_600_000;

const Claims = z.object({
	/** The operator's name, for the audit log. */
	who: z.string(),
	/** Milliseconds since 1970. */
	until: z.number(),
	nonce: z.string(),
});
export type Session = z.infer<typeof Claims>;

export interface Sessions {
	/** Browsers send a cookie to all ports of a host. So consoles with different tokens name it differently. */
	readonly cookieName: string;
	isToken(text: string): boolean;
	/** The value of the cookie of a new session. */
	begin(who: string): string;
	/** Undefined for a cookie that is forged, expired or of another token, and for a session that was ended. */
	read(cookie: string): Promise<Session | undefined>;
	/** The session that it ended. */
	end(cookie: string): Promise<Session | undefined>;
}

export function createSessions(redis: RedisConnection, token: string, now = Date.now): Sessions {
	const derive = (purpose: string, bytes: number) => Buffer.from(hkdfSync('sha256', token, '', purpose, bytes));
	const key = derive('bothy console sessions', 32);
	const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
	const endedKey = ({nonce}: Session) => sharedKey(redis, `console-ended:${nonce}`);

	/** Without Redis, which knows the sessions that were ended early. */
	function verify(cookie: string): Session | undefined {
		const [text = '', mac = ''] = cookie.split('.');
		if (!isEqual(mac, sign(text))) {
			return undefined;
		}

		const session = Claims.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
		return session.until <= now() ? undefined : session;
	}

	return {
		cookieName: `bothy_console_${derive('bothy console cookie', 4).toString('hex')}`,
		isToken: text => isEqual(text, token),
		begin(who) {
			const claims: Session = {who, until: now() + SESSION_MS, nonce: randomBytes(16).toString('base64url')};
			const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
			return `${text}.${sign(text)}`;
		},
		async read(cookie) {
			const session = verify(cookie);
			const isEnded = session !== undefined && (await redis.exists(endedKey(session))) === 1;
			return isEnded ? undefined : session;
		},
		async end(cookie) {
			const session = verify(cookie);
			if (session) {
				await redis.set(endedKey(session), '1', 'PX', Math.max(1, session.until - now()));
			}

			return session;
		},
	};
}

/** In constant time, whatever the lengths. */
function isEqual(one: string, other: string): boolean {
	const digest = (text: string) => hash('sha256', text, 'buffer');
	return timingSafeEqual(digest(one), digest(other));
}
