// Buttons under a message: the service's `zform` widget (service-facts.md 4.4). A press posts the button's text for that person.

import {isTooLong, LONGEST_TEXT, wellFormed} from '../../delivery/text.js';

/** A button: its label, and the text that a press posts. A string is both. */
export type Choice = string | {readonly label: string; readonly says: string};

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The widget as JSON text. `calls` is put before each text: in a channel, a bot gets only messages that mention it. */
export function widgetOf(
	{heading, choices}: {heading: string; choices: readonly Choice[]},
	{calls, method}: {readonly calls: string; readonly method: string},
): string {
	if (choices.length === 0 || choices.length > LETTERS.length) {
		throw new RangeError(`Expected ctx.${method}() with 1 to ${LETTERS.length} choices, got ${choices.length}`);
	}

	const widget = JSON.stringify({
		widget_type: 'zform',
		extra_data: {
			type: 'choices',
			heading: plainText(heading),
			choices: choices.map((choice, index) => {
				const {label, says} = typeof choice === 'string' ? {label: choice, says: choice} : choice;
				const [name, reply] = [plainText(wellFormed(label)), wellFormed(calls + says)];
				return {type: 'multiple_choice', short_name: LETTERS[index], long_name: name, reply};
			}),
		},
	});
	if (isTooLong(widget)) {
		throw new RangeError(
			`Expected ctx.${method}() with choices of at most ${LONGEST_TEXT} characters in all, got ${widget.length}`,
		);
	}

	return widget;
}

/** Removes Markdown: the service shows the text of a widget as it is (service-facts.md 4.10). */
function plainText(markdown: string): string {
	return markdown
		.replace(/([@#])\u200b?_?\*\*([^*|\n]+)(?:\|\d+)?\*\*/g, '$1$2')
		.replace(/@\u200b?_?\*([^*\n]+)\*/g, '@$1')
		.replace(/!?\[([^\]\n]*)\]\(([^)\s]+)\)/g, (_, text: string, url: string) =>
			text === '' || text === url ? url : `${text} (${url})`,
		)
		.replace(/(\*\*\*|\*\*|~~|`+)(?=\S)([^\n]*?\S)\1/g, '$2')
		.replace(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, '$1');
}
