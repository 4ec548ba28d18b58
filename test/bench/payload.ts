// What it costs to check a payload, beside parsing its JSON.

import {readPayload} from '../../src/receiver/payload.js';
import {BODY} from './load.js';
import {median, report} from './report.js';

const CALLS = 20_000;
const ROUNDS = 11;

export function benchPayload(): void {
	const parsed: unknown = JSON.parse(BODY);
	const ratios: number[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const parse = time(() => JSON.parse(BODY));
		const check = time(() => readPayload(parsed));
		ratios.push(check / parse);
	}

	report({name: 'checking a payload', value: median(ratios), unit: '× JSON.parse of it', bound: {atMost: 0.2}});
}

function time(call: () => unknown): number {
	const begin = performance.now();
	for (let done = 0; done < CALLS; done++) {
		call();
	}

	return performance.now() - begin;
}
