import test from 'ava';
import fc from 'fast-check';
import {stripMention} from '../../src/bot/mention.js';

for (const [text, expected] of [
	['@**Echo (v2)** hello', 'hello'],
	['@**Echo (v2)|12** hello', 'hello'],
	['@**echo (V2)**: hello', 'hello'],
	['hello @**Echo (v2)**', 'hello'],
	['please @**Echo (v2)** say hello', 'please say hello'],
	['@**Echo (v2)**', ''],
	['@**Echo (v2)** and @**Echo (v2)|12** again', 'and again'],
] as const) {
	test(`the mention of Echo (v2) is taken out of ${JSON.stringify(text)}`, t => {
		t.is(stripMention(text, {fullName: 'Echo (v2)'}), expected);
	});
}

for (const text of [
	'hello @**Echoes**',
	'what does `@**Echo**` mean?',
	'this:\n```\n@**Echo** hello\n```',
	'@**Other** hello',
]) {
	test(`nothing is taken out of ${JSON.stringify(text)}`, t => {
		t.is(stripMention(text, {fullName: 'Echo'}), text);
	});
}

test('a mention by ID alone is taken out when the rendered message shows that it means the bot', t => {
	const renderedContent = '<p><span class="user-mention" data-user-id="12">@Echo</span> hello</p>';

	t.is(stripMention('@**|12** hello', {fullName: 'Echo', renderedContent}), 'hello');
	t.is(stripMention('@**|13** hello', {fullName: 'Echo', renderedContent}), '@**|13** hello');
});

const MENTIONS = ['@**Echo (v2)**', '@**Echo (v2)|12**', '@**echo (V2)**', '@**|12**'];
const RENDERED = '<span class="user-mention" data-user-id="12">@Echo (v2)</span>';

/** What is left of a text without what may go with a mention. */
const essence = (text: string) => text.replace(/[\s,:]/g, '');

test('wherever the mention stands, nothing but the mention is taken out', t => {
	const text = fc.string({unit: 'grapheme'}).map(text => text.replace(/[`~@*]/g, ''));
	fc.assert(
		fc.property(fc.array(fc.tuple(text, fc.constantFrom(...MENTIONS))), text, (pieces, last) => {
			const written = `${pieces.map(([before, mention]) => `${before} ${mention} `).join('')}${last}`;
			const stripped = stripMention(written, {fullName: 'Echo (v2)', renderedContent: RENDERED});

			t.is(essence(stripped), essence(pieces.map(([before]) => before).join('') + last));
		}),
	);
});

test('whatever is written and however the bot is called, what is left was written', t => {
	const piece = fc.oneof(
		fc.string({unit: 'binary'}),
		fc.constantFrom('```', '`', '~~~', '\n', '@**', '**', '|12', ...MENTIONS, '@_**Echo (v2)**'),
	);
	fc.assert(
		fc.property(fc.array(piece), fc.string({unit: 'grapheme'}), (pieces, fullName) => {
			const written = pieces.join('');
			let at = 0;
			for (const character of stripMention(written, {fullName, renderedContent: RENDERED})) {
				at = written.indexOf(character, at) + 1;
				t.true(at > 0);
			}
		}),
	);
});

test('of several bots in one message only the own mention is taken out', t => {
	const text = '@**Echo** and @**Dice** roll, @**Echo Two** too';

	t.is(stripMention(text, {fullName: 'Echo'}), 'and @**Dice** roll, @**Echo Two** too');
	t.is(stripMention(text, {fullName: 'Dice'}), '@**Echo** and roll, @**Echo Two** too');
});
