import test from 'ava';
import {openRealm, signIn} from './realm-kit.js';

const rendered = test.macro({
	title: (title = '', content, html) => `${title}: ${content} becomes ${html}`,
	async exec(t, content: string, html: string) {
		const alice = await signIn(await openRealm(t), 'alice');

		const id = await alice.say({dm: [4]}, content);
		const {body} = await alice.get(`/messages/${id}`);

		t.is(body.message.content, html);
	},
});

const bob = '<span class="user-mention" data-user-id="5">@Bob Birk</span>';

test('a mention by name, in any case', rendered, '@**bob birk** hi', `<p>${bob} hi</p>`);
test('a name is the same in another case in every alphabet, be it a person, a group or a channel', async t => {
	const realm = await openRealm(t);
	const [adam, alice] = [await signIn(realm, 'adam'), await signIn(realm, 'alice')];
	await adam.patch('/users/5', {full_name: 'Björn Ås'});
	await alice.post('/user_groups/create', {name: 'Köche', description: '', members: [4]});
	await alice.post('/channels/create', {name: 'Küche', subscribers: [4]});

	const id = await alice.say({dm: [4]}, '@**BJÖRN ås** @*KÖCHE* #**KÜCHE**');

	t.is(
		(await alice.get(`/messages/${id}`)).body.message.content,
		'<p><span class="user-mention" data-user-id="5">@Björn Ås</span> ' +
			'<span class="user-group-mention" data-user-group-id="14">@Köche</span> ' +
			'<a class="stream" data-stream-id="7" href="/#narrow/channel/7-K.C3.BCche">#Küche</a></p>',
	);
});
test('a mention by name and ID', rendered, '@**Bob Birk|5**', `<p>${bob}</p>`);
test('a mention by ID alone', rendered, '@**|5**', `<p>${bob}</p>`);
test(
	'a mention with a name that does not fit the ID is text',
	rendered,
	'@**bob|5**',
	'<p>@<strong>bob|5</strong></p>',
);
test('a mention of nobody is text', rendered, '@**Zoe**', '<p>@<strong>Zoe</strong></p>');
test('a mention within a word is text', rendered, 'a@**Bob Birk**', '<p>a@<strong>Bob Birk</strong></p>');
test('a mention after a bracket', rendered, '(@**Bob Birk**)', `<p>(${bob})</p>`);
test(
	'a silent mention',
	rendered,
	'@_**Bob Birk**',
	'<p><span class="user-mention silent" data-user-id="5">Bob Birk</span></p>',
);
test(
	'a channel wildcard',
	rendered,
	'@**all**',
	'<p><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span></p>',
);
test('a topic wildcard', rendered, '@**topic**', '<p><span class="topic-mention">@topic</span></p>');
test(
	'a group',
	rendered,
	'@*role:members*',
	'<p><span class="user-group-mention" data-user-group-id="3">@role:members</span></p>',
);
test('a mention in code stays code', rendered, '`@**Bob Birk**`', '<p><code>@**Bob Birk**</code></p>');
test(
	'a mention in a quotation is silent',
	rendered,
	'> @**Bob Birk**',
	'<blockquote>\n<p><span class="user-mention silent" data-user-id="5">Bob Birk</span></p>\n</blockquote>',
);
test(
	'a link to a channel',
	rendered,
	'#**general**',
	'<p><a class="stream" data-stream-id="1" href="/#narrow/channel/1-general">#general</a></p>',
);
test(
	'a link to a topic',
	rendered,
	'#**general>a & b**',
	'<p><a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-general/topic/a.20.26.20b">#general &gt; a &amp; b</a></p>',
);
test(
	'a link to a message',
	rendered,
	'#**general>x@12**',
	'<p><a class="message-link" href="/#narrow/channel/1-general/topic/x/near/12">#general &gt; x @ 💬</a></p>',
);
test('a link to a channel that one may not see is text', rendered, '#**staff**', '<p>#<strong>staff</strong></p>');
test(
	'a time',
	rendered,
	'<time:2026-05-01T09:30:00+02:00>',
	'<p><time datetime="2026-05-01T07:30:00Z">2026-05-01T09:30:00+02:00</time></p>',
);
test(
	'HTML of the author is text',
	rendered,
	'<img src=x onerror=alert(1)>',
	'<p>&lt;img src=x onerror=alert(1)&gt;</p>',
);
test('a link that would run a script is text', rendered, '[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>');
test('a link with data is text', rendered, '[x](data:text/html,x)', '<p>[x](data:text/html,x)</p>');
test('a link to another place of this one', rendered, '[x](/path)', '<p><a href="/path">x</a></p>');
test(
	'a bare address is a link',
	rendered,
	'https://a.example/',
	'<p><a href="https://a.example/">https://a.example/</a></p>',
);
test(
	'a picture is a link',
	rendered,
	'![x](https://a.example/x.png)',
	'<p>!<a href="https://a.example/x.png">x</a></p>',
);
test(
	'a topic with quotes breaks out of no attribute',
	rendered,
	'#**general>"onclick="x**',
	'<p><a class="stream-topic" data-stream-id="1" href="/#narrow/channel/1-general/topic/.22onclick.3D.22x">#general &gt; &quot;onclick=&quot;x</a></p>',
);
