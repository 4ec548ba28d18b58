// Times and durations in words, at the start of a text.

import {createRequire} from 'node:module';
import type {Component} from 'chrono-node';
import {DateTime, IANAZone} from 'luxon';

const require = createRequire(import.meta.url);

/** Loads the parser of dates (20 MB) when a bot declares a time. Its other languages would take more. */
export function loadMoments(): typeof import('chrono-node/en') {
	return require('chrono-node/en');
}

/** A value, and how many characters of the text it took. */
export interface Read<Value> {
	readonly value: Value;
	readonly length: number;
}

export interface Reference {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** IANA time zone of the person. */
	readonly zone: string;
}

/**
 * Reads `tomorrow 9:00`, `in 2 hours`, `on Friday at noon`, `2026-12-24 18:00`. A day or hour that would be in the past means the
 * next one; a time that is in the past in any case (`yesterday`) is returned as it is. Undefined if the text does not start with
 * a time.
 */
export function readMoment(text: string, reference: Reference): Read<Date> | undefined {
	const shown = readShown(text, reference);
	const later = readLater(text, reference.now);
	return later && later.length > (shown?.length ?? 0) ? later : shown;
}

/** `in one hour and a half`, `in 1h from now`, `2 hours from now`: forms that chrono does not read. */
function readLater(text: string, now: number): Read<Date> | undefined {
	const start = /^in\s+/i.exec(text)?.[0].length ?? 0;
	const duration = readDuration(text.slice(start));
	if (!duration) {
		return undefined;
	}

	const end = start + duration.length;
	const from = /^\s+from\s+now(?![a-z])/i.exec(text.slice(end))?.[0].length ?? 0;
	return start + from > 0 ? {value: new Date(now + duration.value), length: end + from} : undefined;
}

function readShown(text: string, {now, zone}: Reference): Read<Date> | undefined {
	const instant = new Date(now);
	const timezone = IANAZone.create(zone).offset(now);
	const found = loadMoments().parse(text, {instant, timezone}, {forwardDate: true})[0];
	if (found?.index !== 0 || !endsWord(text, found.text.length)) {
		return undefined;
	}

	const {start, text: words} = found;
	// A duration is added to the current time, even across a change of clocks. A time of day is what the clock will show.
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

const NUMBERS = (
	'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen ' +
	'nineteen twenty thirty forty fifty sixty ninety'
).split(' ');

/** Values of the words after `twenty`. Each other word has its position in the list. */
const LARGE: Readonly<Record<string, number>> = {thirty: 30, forty: 40, fifty: 50, sixty: 60, ninety: 90};

const FRACTIONS: Readonly<Record<string, number>> = {half: 0.5, quarter: 0.25, quarters: 0.75};

const AMOUNT = `half an?|a quarter of an?|three quarters of an?|an?(?= )|\\d+(?:[.,]\\d+)?|(?:${NUMBERS.join('|')})(?= )`;
const PART = new RegExp(`\\s*(?:and\\s+)?(${AMOUNT})( and a half)?\\s*([a-z]+)( and a half(?![a-z]))?`, 'iy');

/** Parses `90 minutes`, `1h30m`, `half an hour`, `2 days and 3 hours` into milliseconds. */
export function readDuration(text: string): Read<number> | undefined {
	let value = 0;
	let length = 0;
	PART.lastIndex = 0;
	for (let part = PART.exec(text); part; part = PART.exec(text)) {
		const [, amount = '', before, name = '', after] = part;
		const unit = UNITS.find(([pattern]) => pattern.test(name));
		if (!unit) {
			break;
		}

		value += (amountOf(amount.toLowerCase()) + (before || after ? 0.5 : 0)) * unit[1];
		length = PART.lastIndex;
	}

	return length > 0 && endsWord(text, length) ? {value, length} : undefined;
}

function amountOf(words: string): number {
	const fraction = /half|quarters?/.exec(words)?.[0];
	if (fraction !== undefined) {
		return FRACTIONS[fraction] ?? 0;
	}

	if (/^an?$/.test(words)) {
		return 1;
	}

	const number = LARGE[words] ?? NUMBERS.indexOf(words) + 1;
	return number > 0 ? number : Number(words.replace(',', '.'));
}

/** Milliseconds in words: `1 hour and 30 minutes`. Seconds are shown only below a minute. */
export function sayDuration(ms: number): string {
	const unit = ms < MINUTE ? SECOND : MINUTE;
	let rest = Math.round(ms / unit) * unit;
	const parts: string[] = [];
	for (const [name, size] of [
		['day', DAY],
		['hour', HOUR],
		['minute', MINUTE],
		['second', SECOND],
	] as const) {
		const count = Math.floor(rest / size);
		rest -= count * size;
		if (count > 0) {
			parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
		}
	}

	return parts.slice(0, 2).join(' and ') || '0 seconds';
}

function endsWord(text: string, length: number): boolean {
	return length === text.length || /[\s,.:;!?]/.test(text[length] as string);
}
