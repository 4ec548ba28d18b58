// Parses fenced blocks: code, quotes, spoilers and formulas. A fence is at the start of a line, not in a list or a `>` quote.

import type {StateBlock, Token} from 'markdown-it';
import {escapeHtml, escapeText} from './escape-html.js';

type Fence = {readonly fence: string; readonly lang: string; readonly header: string};

const opening = /^(?<fence>`{3,}|~{3,}) *(?:\{?\.?(?<lang>[\w+./#-]+) *(?<header>[^ ~`][^~`]*)?\}?)? *$/;

export function openingFence(line: string): Fence | undefined {
	const {fence, lang = '', header = ''} = opening.exec(line)?.groups ?? {};
	return fence === undefined ? undefined : {fence, lang, header};
}

export function readFence(state: StateBlock, startLine: number, endLine: number, onlyLook: boolean): boolean {
	const start = state.bMarks[startLine] ?? 0;
	const isAtMargin = state.tShift[startLine] === 0 && (start === 0 || state.src[start - 1] === '\n');
	const fence = isAtMargin ? openingFence(state.src.slice(start, state.eMarks[startLine])) : undefined;
	if (!fence || onlyLook || state.level > 0) {
		return fence !== undefined && onlyLook;
	}

	const end = findEnd(state, {fence, from: startLine + 1, to: endLine});
	const token = state.push('fence', 'code', 0);
	token.content = state.getLines(startLine + 1, end, 0, false);
	token.map = [startLine, end];
	token.meta = fence;
	state.line = Math.min(end + 1, endLine);
	return true;
}

/** Quotes and spoilers contain blocks. */
function findEnd(state: StateBlock, {fence, from, to}: {fence: Fence; from: number; to: number}): number {
	for (let line = from; line < to; line++) {
		const text = state.src.slice(state.bMarks[line], state.eMarks[line]);
		if (text.trimEnd() === fence.fence) {
			return line;
		}

		const inner = isContainer(fence) ? openingFence(text) : undefined;
		if (inner) {
			line = findEnd(state, {fence: inner, from: line + 1, to});
		}
	}

	return to;
}

function isContainer({lang}: Fence): boolean {
	return lang === 'quote' || lang === 'spoiler';
}

/** Renders the content of a quote or a spoiler. */
type Render = (text: string, isQuoted: boolean) => string;

/** Without `render`, quotes and spoilers are treated as code. */
export function renderFence(token: Token, render: Render | undefined): string {
	// readFence made the token, so `meta` has this type.
	const {lang, header} = token.meta as unknown as Fence;
	const {content} = token;
	if (lang === 'quote' && render) {
		return `<blockquote>\n${render(content, true)}</blockquote>\n`;
	}

	if (lang === 'spoiler' && render) {
		const inside = `<div class="spoiler-content" aria-hidden="true">\n${render(content, false)}</div>`;
		return `<div class="spoiler-block"><div class="spoiler-header">\n${render(header, false)}</div>${inside}</div>\n`;
	}

	if (lang === 'math') {
		return `<p><span class="katex-display"><span class="katex">${escapeText(content)}</span></span></p>\n`;
	}

	return renderCodeBlock(content, lang);
}

/** Without empty lines around it and spaces at the ends of lines. */
export function renderCodeBlock(content: string, lang = ''): string {
	const code = content.replaceAll(/ +$/gm, '').replaceAll(/^\n+|\n+$/g, '');
	const language = lang === '' ? '' : ` data-code-language="${escapeHtml(languages.get(lang.toLowerCase()) ?? lang)}"`;
	return `<div class="codehilite"${language}><pre><span></span><code>${escapeText(code)}\n</code></pre></div>\n`;
}

/** The service's names for common languages. */
const languages = new Map(
	`text=Text only|bash sh shell zsh=Bash|console=Bash Session|python py python3 py3=Python|python2 py2=Python 2.x|pycon=Python console session
	js javascript=JavaScript|ts typescript=TypeScript|jsx=JSX|tsx=TSX|json=JSON|yaml yml=YAML|toml=TOML|ini cfg=INI|html=HTML
	css=CSS|scss=SCSS|less=LessCss|xml=XML|sql=SQL|java=Java|kotlin=Kotlin|c=C|cpp c++=C++|csharp c# cs=C#|go golang=Go
	rust rs=Rust|ruby rb=Ruby|php=PHP|perl pl=Perl|lua=Lua|r=S|swift=Swift|scala=Scala|haskell hs=Haskell|elixir ex=Elixir
	erlang=Erlang|clojure=Clojure|dart=Dart|diff udiff=Diff|make makefile=Makefile|docker dockerfile=Docker
	nginx=Nginx configuration file|apache=ApacheConf|graphql=GraphQL|protobuf=Protocol Buffer|powershell ps1=PowerShell
	bat=Batchfile|vim=VimL|tex latex=TeX|markdown md=Markdown|http=HTTP|rst=reStructuredText|groovy=Groovy
	objective-c=Objective-C|ocaml=OCaml|fsharp=F#|julia=Julia|matlab=Matlab|terraform hcl=Terraform|nix=Nix|zig=Zig
	jinja django=Django/Jinja|postgres=PostgreSQL SQL dialect|mysql=MySQL|awk=Awk`
		.split(/\||\n\s*/)
		.flatMap(entry => {
			const [names = '', language = ''] = entry.split('=');
			return names.split(' ').map(name => [name, language] as const);
		}),
);
