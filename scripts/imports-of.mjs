// Finds the imports of a TypeScript file, in every form: import, import type, export from, import(), import = require().
// Reads words, strings and signs. Skips comments, regular expressions and text.

const token =
	/(?<space>\s+)|(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<string>'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*")|(?<word>[\p{ID_Start}$_#@][\p{ID_Continue}$]*)|(?<number>\d[\w.]*)|(?<sign>[\s\S])/uy;
const regularExpression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/uy;
const wordsBeforeExpression = /^(return|typeof|case|in|of|do|else|void|delete|await|yield|throw|new)$/;

/** `[{specifier, line}]` */
export function importsOf(source) {
	const tokens = tokenize(source);
	return tokens.flatMap((_, index) => {
		const string = specifierAt(tokens, index);
		return string ? [{specifier: string.text.slice(1, -1), line: lineOf(source, string.at)}] : [];
	});
}

function specifierAt(tokens, index) {
	const [before, word, next, afterNext] = [tokens[index - 1], tokens[index], tokens[index + 1], tokens[index + 2]];
	if (word.kind !== 'word' || before?.text === '.' || next === undefined) {
		return undefined;
	}

	if (word.text === 'import' || word.text === 'require') {
		if (next.text === '(') {
			return isText(afterNext) ? afterNext : undefined;
		}

		if (word.text === 'import' && next.kind === 'string') {
			return next;
		}
	}

	if (word.text === 'import' || (word.text === 'export' && /^(\{|\*|type)$/.test(next.text))) {
		return stringAfterFrom(tokens, index + 1);
	}

	return undefined;
}

// Only names, braces, commas and a star may be between the word and its `from`.
function stringAfterFrom(tokens, start) {
	for (let index = start; index < tokens.length; index++) {
		const {kind, text} = tokens[index];
		if (text === 'from' && tokens[index + 1]?.kind === 'string') {
			return tokens[index + 1];
		}

		if (kind !== 'word' && kind !== 'string' && !/^[{},*]$/.test(text)) {
			return undefined;
		}
	}

	return undefined;
}

function isText(found) {
	return found?.kind === 'string' || (found?.kind === 'template' && !found.text.includes('${'));
}

function tokenize(source) {
	const tokens = [];
	// The brace depth of each open `${` of a template.
	const holes = [];
	let depth = 0;
	let at = 0;
	while (at < source.length) {
		const found = read(source, at, tokens.at(-1));
		at += found.text.length;
		if (found.text === '{') {
			depth++;
		} else if (found.text === '}' && holes.at(-1) === depth) {
			holes.pop();
			found.text += readTemplate(source, at);
			at += found.text.length - 1;
			if (found.text.endsWith('${')) {
				holes.push(depth);
			}

			continue;
		} else if (found.text === '}') {
			depth--;
		} else if (found.text === '`') {
			found.kind = 'template';
			found.text += readTemplate(source, at);
			at += found.text.length - 1;
			if (found.text.endsWith('${')) {
				holes.push(depth);
			}
		}

		if (found.kind !== 'space' && found.kind !== 'comment') {
			tokens.push(found);
		}
	}

	return tokens;
}

function read(source, at, before) {
	token.lastIndex = at;
	const {groups} = token.exec(source);
	const [kind, text] = Object.entries(groups).find(([, part]) => part !== undefined);
	if (text !== '/' || isValue(before)) {
		return {kind, text, at};
	}

	regularExpression.lastIndex = at;
	const expression = regularExpression.exec(source)?.[0];
	return expression ? {kind: 'expression', text: expression, at} : {kind, text, at};
}

// After a value a slash divides. Elsewhere it starts a regular expression.
function isValue(before) {
	if (before === undefined) {
		return false;
	}

	return before.kind === 'word'
		? !wordsBeforeExpression.test(before.text)
		: before.kind !== 'sign' || /[)\]}]/.test(before.text);
}

/** The rest of a template up to its end or its next hole. */
function readTemplate(source, at) {
	const rest = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{|$)/uy;
	rest.lastIndex = at;
	return rest.exec(source)[0];
}

function lineOf(source, at) {
	return source.slice(0, at).split('\n').length;
}
