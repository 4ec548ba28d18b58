// Where a message goes, as people read it: as they would write it for `bothy send`.

import {Target} from '../delivery/target.js';

/** `#channel > topic`, or people by email or user ID; `text` is the stored JSON, empty for where the bot was asked. */
export function shownTarget(text: string): string {
	const target = targetOf(text);
	if (!target) {
		return 'where it was asked';
	}

	return 'dm' in target ? target.dm.join(', ') : `#${target.channel} > ${target.topic}`;
}

/** As an object; null for where the bot was asked. */
export function targetOf(text: string): Target | null {
	return text === '' ? null : Target.parse(JSON.parse(text));
}
