// Rate limits per account, and per address without login (service-facts.md 2.1).

import type {Clock} from '../clock.js';

interface Rule {
	readonly windowMs: number;
	readonly calls: number;
}

const longest: Rule = {windowMs: 3_600_000, calls: 2000};

/** For calls with a login. */
const rules: readonly Rule[] = [{windowMs: 60_000, calls: 200}, longest];

/** For each address that calls without login. */
const addressRule: Rule = {windowMs: 60_000, calls: 100};

export interface Allowance {
	readonly limit: number;
	readonly remaining: number;
	/** When the whole allowance is free again, in UNIX seconds. */
	readonly reset: number;
	/** Seconds to wait. Undefined if the call may go on. */
	readonly retryAfter?: number;
}

/** A refused call does not count. */
export interface RateLimit {
	/** The caller is an account's ID or an address. */
	count(caller: number | string): Allowance;
}

/** For most calls: a number of calls within a sliding window. */
export class WindowLimit implements RateLimit {
	readonly #clock: Clock;
	readonly #calls = new Map<number | string, number[]>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	count(caller: number | string): Allowance {
		const now = this.#clock.now();
		const own = typeof caller === 'string' ? [addressRule] : rules;
		const {calls: limit, windowMs} = own.at(-1) ?? longest;
		const calls = (this.#calls.get(caller) ?? []).filter(time => time > now - windowMs);
		this.#calls.set(caller, calls);
		const resetOf = (lastCallMs: number) => Math.ceil((lastCallMs + windowMs) / 1000);
		const waitMs = Math.max(...own.map(rule => untilFree(calls, rule) - now));
		if (waitMs > 0) {
			return {limit, remaining: 0, reset: resetOf(calls.at(-1) ?? now), retryAfter: waitMs / 1000};
		}

		calls.push(now);
		return {limit, remaining: limit - calls.length, reset: resetOf(now)};
	}
}

function untilFree(calls: readonly number[], {windowMs, calls: limit}: Rule): number {
	const oldest = calls.at(-limit);
	return oldest === undefined ? 0 : oldest + windowMs;
}

/** For polls of events: a leaky bucket. */
export class LeakyLimit implements RateLimit {
	readonly #clock: Clock;
	readonly #levels = new Map<string, {level: number; atMs: number}>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	count(caller: number | string): Allowance {
		const now = this.#clock.now();
		const buckets = rules.map(rule => ({rule, level: this.#level(caller, rule, now)}));
		const waitMs = Math.max(...buckets.map(({rule, level}) => (level + 1 - rule.calls) * leakMs(rule)));
		const full = waitMs > 0;
		for (const {rule, level} of buckets) {
			this.#levels.set(`${caller}/${rule.windowMs}`, {level: full ? level : level + 1, atMs: now});
		}

		const level = this.#level(caller, longest, now);
		return {
			limit: longest.calls,
			remaining: full ? 0 : Math.floor(longest.calls - level),
			reset: Math.ceil((now + level * leakMs(longest)) / 1000),
			...(full && {retryAfter: waitMs / 1000}),
		};
	}

	#level(caller: number | string, rule: Rule, now: number): number {
		const bucket = this.#levels.get(`${caller}/${rule.windowMs}`) ?? {level: 0, atMs: now};
		return Math.max(0, bucket.level - (now - bucket.atMs) / leakMs(rule));
	}
}

function leakMs({windowMs, calls}: Rule): number {
	return windowMs / calls;
}
