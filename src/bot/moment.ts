// Times and durations in words, at the start of a text.

import type {Component} from 'chrono-node';
// All of its languages take a tenth of a second to load, in every process.
import {parse} from 'chrono-node/en';
import {DateTime, IANAZone} from 'luxon';

/** A value, and how many characters of the text say it. */
export interface Read<Value> {
	readonly value: Value;
	readonly length: number;
}

export interface Reference {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** IANA time zone in which clocks are read. */
	readonly zone: string;
}

/**
 * Reads `tomorrow 9:00`, `in 2 hours`, `on Friday at noon`, `2026-12-24 18:00`. A day or hour that would be past is the next
 * of its kind; what is past all the same (`yesterday`) is given as it is. Undefined where the text does not start with a
 * time.
 */
export function readMoment(text: string, {now, zone}: Reference): Read<Date> | undefined {
	const instant = new Date(now);
	const timezone = IANAZone.create(zone).offset(now);
	const found = parse(text, {instant, timezone}, {forwardDate: true})[0];
	if (found?.index !== 0 || !endsWord(text, found.text.length)) {
		return undefined;
	}

	const {start, text: words} = found;
	// So much later is so much later, however clocks are changed meanwhile; a time of day is what the clock will show.
	if (found.tags().has('result/relativeDateAndTime') || start.isCertain('timezoneOffset')) {
		return {value: start.date(), length: words.length};
	}

	const part = (name: Component) => start.get(name) ?? 0;
	const shown = {
		year: part('year'),
		month: part('month'),
		day: part('day'),
		hour: part('hour'),
		minute: part('minute'),
		second: part('second'),
	};
	return {value: DateTime.fromObject(shown, {zone}).toJSDate(), length: words.length};
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS: readonly (readonly [RegExp, number])[] = [
	[/^(?:s|secs?|seconds?)$/i, SECOND],
	[/^(?:m|mins?|minutes?)$/i, MINUTE],
	[/^(?:h|hrs?|hours?)$/i, HOUR],
	[/^(?:d|days?)$/i, DAY],
	[/^(?:w|wks?|weeks?)$/i, 7 * DAY],
];

const PART = /\s*(?:and\s+)?(half an?|an?|\d+(?:[.,]\d+)?)\s*([a-z]+)/iy;

/** Reads `90 minutes`, `1h30m`, `half an hour`, `2 days and 3 hours` into milliseconds. */
export function readDuration(text: string): Read<number> | undefined {
	let value = 0;
	let length = 0;
	PART.lastIndex = 0;
	for (let part = PART.exec(text); part; part = PART.exec(text)) {
		const [, amount = '', name = ''] = part;
		const unit = UNITS.find(([pattern]) => pattern.test(name));
		if (!unit) {
			break;
		}

		value += amountOf(amount) * unit[1];
		length = PART.lastIndex;
	}

	return length > 0 && endsWord(text, length) ? {value, length} : undefined;
}

function amountOf(words: string): number {
	if (/^half/i.test(words)) {
		return 0.5;
	}

	return /^an?$/i.test(words) ? 1 : Number(words.replace(',', '.'));
}

function endsWord(text: string, length: number): boolean {
	return length === text.length || /[\s,.:;!?]/.test(text[length] as string);
}
