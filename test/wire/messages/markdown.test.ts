// What the service makes of Markdown (seen on a real server of feature level 339).

import test from 'ava';
import {signIn} from '../kit/raw-request.js';
import {story} from '../kit/story.js';

const emoji = (name: string, code: string, title = name) =>
	`<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
const link = (href: string, text = href) => `<a href="${href}">${text}</a>`;
const code = (text: string, language = '') =>
	`<div class="codehilite"${language && ` data-code-language="${language}"`}><pre><span></span><code>${text}\n</code></pre></div>`;
const picture = (href: string, title = '') =>
	`<div class="message_inline_image"><a href="${href}"${title}><img src="${href}"></a></div>`;
const bob = '<span class="user-mention" data-user-id="5">@Bob Birk</span>';

/** Texts within one paragraph. */
const inline: Readonly<Record<string, string>> = {
	'**bold** *italic* ***both*** ~~struck~~ __under__ _under_':
		'<strong>bold</strong> <em>italic</em> <strong><em>both</em></strong> <del>struck</del> __under__ _under_',
	'** a ** *a***b**': '<strong> a </strong> *a<strong>*b</strong>',
	'2*3*4 *': '2<em>3</em>4 *',
	'*a\nb*': '*a<br>\nb*',
	'**a `**` b** ~~~x~~~': '<strong>a <code>**</code> b</strong> ~~~x~~~',
	'`  spaced  ` ``a ` b`` \\`x\\`': '<code>  spaced  </code> <code>a ` b</code> \\`x\\`',
	'\\*escaped\\* 1\\. x a\\\nb': '\\<em>escaped\\</em> 1\\. x a\\<br>\nb',
	'a  \n  b': 'a  <br>\n  b',
	'a\tb': 'a   b',
	'&amp; & &nbsp; < > " \'': '&amp; &amp; &nbsp; &lt; &gt; " \'',
	'example.com/a?b=c&d=e#f': link('http://example.com/a?b=c&amp;d=e#f', 'example.com/a?b=c&amp;d=e#f'),
	'<https://example.com>, (https://example.com/A_(b)).': `&lt;${link('https://example.com')}&gt;, (${link('https://example.com/A_(b)')}).`,
	'mailto:a@b.c ftp://example.com file.txt read.py': `mailto:${link('mailto:a@b.c', 'a@b.c')} ftp://example.com file.txt read.py`,
	'[**b**](example.com) [](https://a.b) [x]()': `${link('http://example.com', '**b**')} ${link('https://a.b')} ${link('http://', 'x')}`,
	'[x](javascript:alert(1)) [x][ref] [x](/y "z")': '[x](javascript:alert(1)) [x][ref] <a href="/y" title="z">x</a>',
	'a:tada:b :thumbs_up: :no_such: 10:30:45': `a${emoji('tada', '1f389')}b ${emoji('thumbs_up', '1f44d', 'thumbs up')} :no_such: 10:30:45`,
	'🎉 ❤️ 👍🏽 :flag_germany:': `${emoji('tada', '1f389')} ${emoji('heart', '2764')} 👍🏽 ${emoji('flag_germany', '1f1e9-1f1ea', 'flag germany')}`,
	'🧑🏽‍🛴‍↩️': '🧑🏽‍🛴‍↩️',
	':zulip:':
		'<img alt=":zulip:" class="emoji" src="/static/generated/emoji/images/emoji/unicode/zulip.png" title="zulip">',
	'@**Bob Birk**s (@**bob birk**) x@**Bob Birk** @**Bob|5**': `${bob}s (${bob}) x@<strong>Bob Birk</strong> @<strong>Bob|5</strong>`,
	'@*role:members* @*Role:members*':
		'<span class="user-group-mention" data-user-group-id="3">@Members</span> @<em>Role:members</em>',
	'#**General** #**general>**': '#<strong>General</strong> #<strong>general&gt;</strong>',
	'<time:June 5th 2026, 10:30pm> <time:31 Dec 2026 5:30 GMT>':
		'<time datetime="2026-06-05T22:30:00Z">June 5th 2026, 10:30pm</time> <time datetime="2026-12-31T05:30:00Z">31 Dec 2026 5:30 GMT</time>',
	'[call](tel:+14155551234)': link('tel:+14155551234', 'call'),
	'<time:2024-01-02 03:04>': '<time datetime="2024-01-02T03:04:00Z">2024-01-02 03:04</time>',
};

/** Whole messages. */
const blocks: Readonly<Record<string, string>> = {
	'Setext\n---\nSetext\n===': '<p>Setext</p>\n<hr>\n<p>Setext<br>\n===</p>',
	'1) a\n2) b': '<p>1) a<br>\n2) b</p>',
	'- a\n  - b\n    - c\n- d': '<ul>\n<li>a<ul>\n<li>b<ul>\n<li>c</li>\n</ul>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>',
	'- a\n    - b': '<ul>\n<li>a<br>\n    - b</li>\n</ul>',
	'1. a\n   - b\n2. c': '<ol>\n<li>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</li>\n<li>\n<p>c</p>\n</li>\n</ol>',
	'* a\n- b\n+ c\n\n* * *': '<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>\n<hr>',
	'1. a\n  2. b\n    - c\n2. d':
		'<ol>\n<li>\n<p>a</p>\n<ol start="2">\n<li>\n<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n</li>\n</ol>\n</li>\n<li>\n<p>d</p>\n</li>\n</ol>',
	'1. a\n2. b\n  1. c\n  2. d': '<ol>\n<li>a</li>\n<li>b<ol>\n<li>c</li>\n<li>d</li>\n</ol>\n</li>\n</ol>',
	'```\n1. a\n  2. b\n```\n\n    1. c': `${code('1. a\n  2. b')}\n${code('1. c')}`,
	'- a\n\n  b\n    c': '<ul>\n<li>\n<p>a</p>\n<p>b<br>\n  c</p>\n</li>\n</ul>',
	'>': '<p>&gt;</p>',
	'> >\n\n>\n> a\nb\n# c':
		'<blockquote>\n<p>&gt;</p>\n</blockquote>\n<blockquote>\n<p>a<br>\nb</p>\n<h1>c</h1>\n</blockquote>',
	'```\n\na  \n\n b\n\n```': code('a\n\n b'),
	'text\n3. a': '<p>text</p>\n<ol start="3">\n<li>a</li>\n</ol>',
	'-\n*\n1.': '<p>-<br>\n*<br>\n1.</p>',
	'a\n```js\n"x" < 1;\n```\nb': `<p>a</p>\n${code('"x" &lt; 1;', 'JavaScript')}\n<p>b</p>`,
	'- a\n```nolang\n- b\ntext\n- c': `<ul>\n<li>a</li>\n</ul>\n${code('- b\ntext\n- c', 'nolang')}`,
	'    indented': code('indented'),
	'> ```\n> x\n> ```': '<blockquote>\n<p><code>\nx\n</code></p>\n</blockquote>',
	'```quote\n```py\nx\n```\n@**Bob Birk**\n```\nb': `<blockquote>\n${code('x', 'Python')}
<p>${bob.replace('mention"', 'mention silent"').replace('@', '')}</p>\n</blockquote>\n<p>b</p>`,
	'```spoiler Head *er*\nhidden\n```':
		'<div class="spoiler-block"><div class="spoiler-header">\n<p>Head <em>er</em></p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>hidden</p>\n</div></div>',
	'$$x^2$$': '<p><span class="katex">x^2</span></p>',
	'| a | b |\n|:--|--:|\n| **x** | `y` |':
		'<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: right;">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td style="text-align: left;"><strong>x</strong></td>\n<td style="text-align: right;"><code>y</code></td>\n</tr>\n</tbody>\n</table>',
	'text\n| a |\n|---|': '<p>text<br>\n| a |<br>\n|---|</p>',
	'| a |\n|---|\n| x |\ntext': '<p>| a |<br>\n|---|<br>\n| x |<br>\ntext</p>',
	'https://a.b/c.png': picture('https://a.b/c.png'),
	'- see [it](https://a.b/c.png)': `<ul>\n<li>see ${link('https://a.b/c.png', 'it')}${picture('https://a.b/c.png', ' title="it"')}</li>\n</ul>`,
	'![x](https://a.b/c.png)': `<p>![x](${link('https://a.b/c.png')})</p>\n${picture('https://a.b/c.png')}`,
	'> https://a.b/c.png': `<blockquote>\n<p>${link('https://a.b/c.png')}</p>\n</blockquote>`,
};

const render = (content: string) => `alice POST /api/v1/messages/render content=${encodeURIComponent(content)}`;

story('renderMessage', 'reads emphasis, links, emoji and mentions as the service does', [
	...Object.entries(inline).map(([content, html]) => [render(content), {rendered: `<p>${html}</p>`}] as const),
]);

story('renderMessage', 'reads lists, code, quotes, tables and pictures as the service does', [
	...Object.entries(blocks).map(([content, rendered]) => [render(content), {rendered}] as const),
]);

test('the longest message of any one sign is rendered soon, and nothing breaks', async t => {
	const alice = await signIn(t);
	const signs = ['[', '*', '`', '(a', '- ', '> ', '```quote\n', '<', '@**', '|', 'a.', '🎉', '[a](', '**a'];
	for (const sign of signs) {
		const content = sign.repeat(10_000 / sign.length);
		const answer = await alice.post('/api/v1/messages/render', `content=${encodeURIComponent(content)}`);
		t.is(answer.statusLine, 'HTTP/1.1 200 OK', sign);
	}
});
