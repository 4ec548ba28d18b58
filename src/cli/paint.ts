// Text for a terminal: colours if it is one, and no control characters.

import {styleText} from 'node:util';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';
export type Paint = (colour: Colour, text: string) => string;

/** Colours for a stream that is a terminal, unless NO_COLOR is set. */
export function createPaint(stream: {isTTY?: boolean}): Paint {
	const isColoured = stream.isTTY === true && !process.env.NO_COLOR;
	return (colour, text) => (isColoured ? styleText(colour, text) : text);
}

/** Escapes control characters in text from elsewhere, except line breaks and tabs. */
export function printable(text: string): string {
	return text.replace(/[^\P{Cc}\n\t]/gu, '\u{FFFD}');
}

/** Control characters, and characters that change the direction of text, written as in JSON. */
export function visible(text: string): string {
	return text.replace(
		/[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
		sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);
}
