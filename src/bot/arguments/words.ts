// Splits a line into words.

export interface Word {
	readonly text: string;
	/** Position in the line, with quotes, so that the rest of the line can be taken unchanged. */
	readonly start: number;
	readonly end: number;
	readonly isQuoted: boolean;
}

const QUOTES: Record<string, string> = {'"': '"', "'": "'", '“': '”', '„': '“', '‘': '’', '«': '»'};

/** A mention of a person, group or channel is one word, even if its name has several. */
const REFERENCE = /(?:@_?|#)\*\*[^*\n]+\*\*(?=[\s,.:;!?)]|$)/y;

/** Quotes of every kind group words. An unbalanced quote is text. */
export function splitWords(line: string): Word[] {
	const words: Word[] = [];
	for (let at = skipSpace(line, 0); at < line.length; at = skipSpace(line, at)) {
		const word = quotedWord(line, at) ?? reference(line, at) ?? plainWord(line, at);
		words.push(word);
		at = word.end;
	}

	return words;
}

function skipSpace(line: string, from: number): number {
	let at = from;
	while (at < line.length && /\s/.test(line[at] as string)) {
		at++;
	}

	return at;
}

function quotedWord(line: string, start: number): Word | undefined {
	const close = QUOTES[line[start] as string];
	const last = close === undefined ? -1 : line.indexOf(close, start + 1);
	const endsWord = last > 0 && (last + 1 === line.length || /\s/.test(line[last + 1] as string));
	return endsWord ? {text: line.slice(start + 1, last), start, end: last + 1, isQuoted: true} : undefined;
}

function reference(line: string, start: number): Word | undefined {
	REFERENCE.lastIndex = start;
	const [text] = REFERENCE.exec(line) ?? [];
	return text === undefined ? undefined : {text, start, end: start + text.length, isQuoted: false};
}

function plainWord(line: string, start: number): Word {
	const [text = ''] = /^\S+/.exec(line.slice(start)) ?? [];
	return {text, start, end: start + text.length, isQuoted: false};
}
