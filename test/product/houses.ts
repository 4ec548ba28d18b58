// The house in which the tests of a file are at home: one after the other, as long as its options and its time suit them.

import test from 'ava';
import {type House, type HouseOptions, openHouse} from './house.js';
import {tally} from './tally.js';

let standing: {readonly key: string; readonly house: House} | undefined;

test.after.always(() => standing?.house.close());

/** `now` is what time it should be there, in milliseconds since 1970. */
export async function findHouse(options: Omit<HouseOptions, 'now'>, now: number | undefined): Promise<House> {
	tally.guests += 1;
	const key = JSON.stringify(options);
	const found = standing?.key === key ? standing.house : undefined;
	if (found?.hasRoom() && (now ?? found.now()) === found.now() && found.errors().length === 0) {
		return found;
	}

	await standing?.house.close();
	standing = undefined;
	const house = await openHouse({...options, now: now ?? Date.now()});
	standing = {key, house};
	return house;
}
