// Text for a terminal: coloured where there is one, and without what would move its cursor.

import {styleText} from 'node:util';

export type Colour = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';
export type Paint = (colour: Colour, text: string) => string;

/** Colours for a stream that is a terminal, unless NO_COLOR is set. */
export function createPaint(stream: {isTTY?: boolean}): Paint {
	const isColoured = stream.isTTY === true && !process.env.NO_COLOR;
	return (colour, text) => (isColoured ? styleText(colour, text) : text);
}

/** What came from elsewhere, without control characters but line breaks and tabs. */
export function printable(text: string): string {
	return text.replace(/[^\P{Cc}\n\t]/gu, '\u{FFFD}');
}
