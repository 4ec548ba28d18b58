// An in-memory store for the values of bots.

import {TakenOverError} from '../delivery/run-expired-error.js';
import {MOST_KEYS, type ValueStore} from '../storage/values.js';
import type {Memory} from './memory.js';

export function createMemoryValueStore(memory: Memory, name: 'values' | 'questions' = 'values'): ValueStore {
	return ({ref, run}) => {
		const values = memory.account(ref.account)[name];
		const expectCurrent = () => {
			if (!memory.isCurrent(ref, run)) {
				throw new TakenOverError();
			}
		};

		return {
			get: async key => values.get(key),
			keys: async () => [...values.keys()],
			async put(key, value, before) {
				expectCurrent();
				const current = values.get(key);
				if (before && before.text !== current) {
					return 'changed';
				}

				if (value === undefined) {
					values.delete(key);
				} else if ([key, before?.copyTo ?? key].some(key => !values.has(key)) && values.size >= MOST_KEYS) {
					return 'full';
				} else {
					values.set(key, value).set(before?.copyTo ?? key, value);
				}

				return 'put';
			},
			async clear() {
				expectCurrent();
				values.clear();
			},
		};
	};
}
