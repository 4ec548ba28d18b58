// Buttons under a message: the service's `zform` widget (service-facts.md 4.4). Pressing one says its text.

import type {Message} from '../api/index.js';
import {isTooLong, LONGEST_TEXT, wellFormed} from '../delivery/text.js';

/** A button: its label, and what the person says by pressing it. A string is both. */
export type Choice = string | {readonly label: string; readonly says: string};

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** JSON text of the widget. In a channel only a mention reaches a bot, so each button says one. */
export function widgetOf(
	{heading, choices}: {heading: string; choices: readonly Choice[]},
	{message, mention}: {readonly message: Message; readonly mention: string},
): string {
	if (choices.length === 0 || choices.length > LETTERS.length) {
		throw new RangeError(`Expected ctx.reply() with 1 to ${LETTERS.length} choices, got ${choices.length}`);
	}

	const calls = message.type === 'stream' ? `${mention} ` : '';
	const widget = JSON.stringify({
		widget_type: 'zform',
		extra_data: {
			type: 'choices',
			heading,
			choices: choices.map((choice, index) => {
				const {label, says} = typeof choice === 'string' ? {label: choice, says: choice} : choice;
				const [name, reply] = [wellFormed(label), wellFormed(calls + says)];
				return {type: 'multiple_choice', short_name: LETTERS[index], long_name: name, reply};
			}),
		},
	});
	if (isTooLong(widget)) {
		throw new RangeError(
			`Expected ctx.reply() with choices of at most ${LONGEST_TEXT} characters in all, got ${widget.length}`,
		);
	}

	return widget;
}
