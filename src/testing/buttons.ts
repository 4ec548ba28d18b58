// Finds the button that a person of a test presses.

import {AssertionError} from 'node:assert';
import type {PersonName} from './person.js';
import type {Button} from './realm-queries.js';

/** A button, and the conversation of its message, in the form of `SentMessage.where`. */
export interface PlacedButton extends Button {
	readonly where: string;
}

/**
 * The latest button with this label that the person can see.
 *
 * @throws AssertionError that says which buttons there are.
 */
export function findButton(buttons: readonly PlacedButton[], person: PersonName, label: string): PlacedButton {
	const named = buttons.filter(button => button.label === label);
	const button = named.findLast(({where}) => sees(person, where));
	if (button) {
		return button;
	}

	const expected = `Expected ${person} to see a button “${label}”`;
	const other = named.at(-1);
	if (other) {
		const [, reader = ''] = /^@(\w+)/.exec(other.where) ?? [];
		const message = `${expected}, found it only in a direct message to ${other.where}. Call t.${reader}.presses('${label}')`;
		throw new AssertionError({message});
	}

	const labels = new Set(
		buttons.filter(({where}) => sees(person, where)).map(({label, where}) => `“${label}” in ${where}`),
	);
	const found = labels.size > 0 ? [...labels].join(', ') : 'no message of the bot with buttons';
	const cure = labels.size > 0 ? '' : '. Let somebody write first what makes the bot ask';
	throw new AssertionError({message: `${expected}, found ${found}${cure}`});
}

/** Channels are public in the demo organization. */
function sees(person: PersonName, where: string): boolean {
	return where.startsWith('#') || where.split(', ').includes(`@${person}`);
}
