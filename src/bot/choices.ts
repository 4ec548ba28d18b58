// Buttons under a message: the service's `zform` widget (service-facts.md 4.4). Who presses one says its text.

import type {Message} from '../api/index.js';

/** What a button shows, and what is said when it is pressed; a text alone is both. */
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
	return JSON.stringify({
		widget_type: 'zform',
		extra_data: {
			type: 'choices',
			heading,
			choices: choices.map((choice, index) => {
				const {label, says} = typeof choice === 'string' ? {label: choice, says: choice} : choice;
				return {type: 'multiple_choice', short_name: LETTERS[index], long_name: label, reply: calls + says};
			}),
		},
	});
}
