// What operators did in the console: who, what and when. The log has every action; Redis keeps the latest.

import {z} from '../api/zod.js';
import type {Log} from '../log.js';
import {sharedKey} from '../redis/account-key.js';
import type {RedisConnection} from '../redis/connection.js';

const Audited = z.object({
	v: z.literal(1),
	/** Milliseconds since 1970. */
	at: z.number(),
	/** The name that the operator gave at the sign-in, and the address. */
	who: z.string(),
	from: z.string(),
	/** `replay`. */
	what: z.string(),
	/** Bot and id. */
	about: z.string(),
	/** What came of it, in a few words. */
	outcome: z.string(),
});
export type Audited = z.infer<typeof Audited>;

const KEPT = 1_000;

const SHOWN = 100;

const KEY = 'console-audit';

export interface Audit {
	write(line: Omit<Audited, 'v' | 'at'>): Promise<void>;
	/** The latest first. */
	latest(): Promise<Audited[]>;
}

export function createAudit(redis: RedisConnection, log: Pick<Log, 'info'>): Audit {
	const key = sharedKey(redis, KEY);
	return {
		async write(line) {
			const audited: Audited = {v: 1, at: Date.now(), ...line};
			log.info(line, 'an operator acted in the console');
			await redis
				.multi()
				.lpush(key, JSON.stringify(audited))
				.ltrim(key, 0, KEPT - 1)
				.exec();
		},
		async latest() {
			const lines = await redis.lrange(key, 0, SHOWN - 1);
			// A newer version may have written others.
			return lines.flatMap(line => Audited.safeParse(JSON.parse(line)).data ?? []);
		},
	};
}
