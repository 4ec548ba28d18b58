// Formats the target of a message, in the form that `bothy send` takes.

import {Target} from '../../delivery/target.js';

/** `#channel > topic`, or people by email or user ID. `text` is the stored JSON; empty for the conversation of the message. */
export function shownTarget(text: string): string {
	const target = targetOf(text);
	if (!target) {
		return 'where it was asked';
	}

	return 'dm' in target ? target.dm.join(', ') : `#${target.channel} > ${target.topic}`;
}

/** As an object. Null for the conversation of the message. */
export function targetOf(text: string): Target | null {
	return text === '' ? null : Target.parse(JSON.parse(text));
}
