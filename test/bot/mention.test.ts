import test from 'ava';
import {stripMention} from '../../src/bot/mention.js';

const strips = test.macro({
	exec(t, text: string, expected: string) {
		t.is(stripMention(text, {fullName: 'Echo (v2)'}), expected);
	},
	title: (_, text) => `the mention of Echo (v2) is taken out of ${JSON.stringify(text)}`,
});

test(strips, '@**Echo (v2)** hello', 'hello');
test(strips, '@**Echo (v2)|12** hello', 'hello');
test(strips, '@**echo (V2)**: hello', 'hello');
test(strips, 'hello @**Echo (v2)**', 'hello');
test(strips, 'please @**Echo (v2)** say hello', 'please say hello');
test(strips, '@**Echo (v2)**', '');
test(strips, '@**Echo (v2)** and @**Echo (v2)|12** again', 'and again');

const keeps = test.macro({
	exec(t, text: string) {
		t.is(stripMention(text, {fullName: 'Echo'}), text);
	},
	title: (_, text) => `nothing is taken out of ${JSON.stringify(text)}`,
});

test(keeps, 'hello @**Echoes**');
test(keeps, 'what does `@**Echo**` mean?');
test(keeps, 'this:\n```\n@**Echo** hello\n```');
test(keeps, '@**Other** hello');

test('a mention by ID alone is taken out when the rendered message shows that it means the bot', t => {
	const renderedContent = '<p><span class="user-mention" data-user-id="12">@Echo</span> hello</p>';

	t.is(stripMention('@**|12** hello', {fullName: 'Echo', renderedContent}), 'hello');
	t.is(stripMention('@**|13** hello', {fullName: 'Echo', renderedContent}), '@**|13** hello');
});
