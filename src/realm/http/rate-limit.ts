// How often an account may call (service-facts.md 2.1).

import type {Clock} from '../clock.js';

interface Rule {
	readonly windowMs: number;
	readonly calls: number;
}

const rules: readonly Rule[] = [
	{windowMs: 60_000, calls: 200},
	{windowMs: 3_600_000, calls: 2000},
];
const longest: Rule = {windowMs: 3_600_000, calls: 2000};

export interface Allowance {
	readonly limit: number;
	readonly remaining: number;
	/** UNIX seconds at which everything is free again. */
	readonly reset: number;
	/** Seconds to wait; absent when the call may go on. */
	readonly retryAfter?: number;
}

/** A call that is refused does not count. */
export interface RateLimit {
	count(accountId: number): Allowance;
}

/** For ordinary calls: so many within any window. */
export class WindowLimit implements RateLimit {
	readonly #clock: Clock;
	readonly #calls = new Map<number, number[]>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	count(accountId: number): Allowance {
		const now = this.#clock.now();
		const calls = (this.#calls.get(accountId) ?? []).filter(time => time > now - longest.windowMs);
		this.#calls.set(accountId, calls);
		const waitMs = Math.max(...rules.map(rule => untilFree(calls, rule) - now));
		if (waitMs > 0) {
			return {limit: longest.calls, remaining: 0, reset: resetOf(calls.at(-1) ?? now), retryAfter: waitMs / 1000};
		}

		calls.push(now);
		return {limit: longest.calls, remaining: longest.calls - calls.length, reset: resetOf(now)};
	}
}

function untilFree(calls: readonly number[], {windowMs, calls: limit}: Rule): number {
	const oldest = calls.at(-limit);
	return oldest === undefined ? 0 : oldest + windowMs;
}

function resetOf(lastCallMs: number): number {
	return Math.ceil((lastCallMs + longest.windowMs) / 1000);
}

/** For event polls: a bucket that one call leaves every window/limit seconds. */
export class LeakyLimit implements RateLimit {
	readonly #clock: Clock;
	readonly #levels = new Map<string, {level: number; atMs: number}>();

	constructor(clock: Clock) {
		this.#clock = clock;
	}

	count(accountId: number): Allowance {
		const now = this.#clock.now();
		const buckets = rules.map(rule => ({rule, level: this.#level(accountId, rule, now)}));
		const waitMs = Math.max(...buckets.map(({rule, level}) => (level + 1 - rule.calls) * leakMs(rule)));
		const full = waitMs > 0;
		for (const {rule, level} of buckets) {
			this.#levels.set(`${accountId}/${rule.windowMs}`, {level: full ? level : level + 1, atMs: now});
		}

		const level = this.#level(accountId, longest, now);
		return {
			limit: longest.calls,
			remaining: full ? 0 : Math.floor(longest.calls - level),
			reset: Math.ceil((now + level * leakMs(longest)) / 1000),
			...(full && {retryAfter: waitMs / 1000}),
		};
	}

	#level(accountId: number, rule: Rule, now: number): number {
		const bucket = this.#levels.get(`${accountId}/${rule.windowMs}`) ?? {level: 0, atMs: now};
		return Math.max(0, bucket.level - (now - bucket.atMs) / leakMs(rule));
	}
}

function leakMs({windowMs, calls}: Rule): number {
	return windowMs / calls;
}
