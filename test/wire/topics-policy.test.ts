// Which topics a channel takes, by its own policy or the organization's (spec.md, "Channel object").

import test, {type ExecutionContext} from 'ava';
import {queueOf} from './event-kit.js';
import {
	at,
	badRequest,
	type Caller,
	channelId,
	expectRefusal,
	expectSuccess,
	newestMessage,
	openRealm,
	signIn,
} from './raw-request.js';
import {changeDatabase, temporaryFile} from './scheduled-kit.js';

const NOT_EMPTY = {
	status: '400 Bad Request',
	json: {
		result: 'error',
		msg: 'Sending messages to the general chat is not allowed in this channel.',
		code: 'BAD_REQUEST',
		empty_topic_display_name: 'general chat',
	},
};
const ONLY_EMPTY = {
	status: '400 Bad Request',
	json: {
		result: 'error',
		msg: 'Only the general chat topic is allowed in this channel.',
		code: 'BAD_REQUEST',
		empty_topic_display_name: 'general chat',
	},
};

interface Policies {
	readonly organization: string;
	readonly channel: string;
}

async function signInUnder(t: ExecutionContext, {organization, channel}: Policies): Promise<Caller> {
	const file = await temporaryFile(t);
	const realm = await openRealm(t, {file});
	changeDatabase(
		file,
		`UPDATE organization SET topics_policy = '${organization}';
		UPDATE channels SET topics_policy = '${channel}' WHERE name = 'general'`,
	);
	return signIn(t, 'alice', realm);
}

/** Texts of forms that stand for the empty topic. */
const EMPTY = ['', '+', 'general+chat', '%28no+topic%29'];

const cases: ReadonlyArray<Policies & {empty: typeof NOT_EMPTY | undefined; named: typeof ONLY_EMPTY | undefined}> = [
	{organization: 'allow_empty_topic', channel: 'inherit', empty: undefined, named: undefined},
	{organization: 'disable_empty_topic', channel: 'inherit', empty: NOT_EMPTY, named: undefined},
	{organization: 'disable_empty_topic', channel: 'allow_empty_topic', empty: undefined, named: undefined},
	{organization: 'allow_empty_topic', channel: 'disable_empty_topic', empty: NOT_EMPTY, named: undefined},
	{organization: 'disable_empty_topic', channel: 'empty_topic_only', empty: undefined, named: ONLY_EMPTY},
];

for (const {empty, named, ...policies} of cases) {
	const title = `with ${policies.organization} in the organization and ${policies.channel} in the channel`;

	test(`${title} the realm ${empty ? 'refuses' : 'takes'} the empty topic in all its forms`, async t => {
		const alice = await signInUnder(t, policies);
		for (const topic of EMPTY) {
			const answer = await alice.post('/api/v1/messages', `type=channel&to=general&topic=${topic}&content=x`);
			if (empty) {
				expectRefusal(t, answer, empty);
			} else {
				expectSuccess(t, answer);
				t.is(at(await newestMessage(alice), 'subject'), '');
			}
		}
	});

	test(`${title} the realm ${named ? 'refuses' : 'takes'} a topic with a name`, async t => {
		const alice = await signInUnder(t, policies);
		const answer = await alice.post('/api/v1/messages', 'type=channel&to=general&topic=soup&content=x');
		if (named) {
			expectRefusal(t, answer, named);
		} else {
			expectSuccess(t, answer);
			t.is(at(await newestMessage(alice), 'subject'), 'soup');
		}
	});

	test(`${title} the realm schedules as it sends`, async t => {
		const alice = await signInUnder(t, policies);
		const id = await channelId(alice, 'general');
		const time = Math.floor(Date.now() / 1000) + 3600;
		const schedule = (topic: string) =>
			alice.post(
				'/api/v1/scheduled_messages',
				`type=channel&to=${id}&topic=${topic}&content=x&scheduled_delivery_timestamp=${time}`,
			);
		for (const [topic, refusal] of [
			['', empty],
			['soup', named],
		] as const) {
			const answer = await schedule(topic);
			if (refusal) {
				expectRefusal(t, answer, refusal);
			} else {
				expectSuccess(t, answer);
			}
		}
	});

	test(`${title} the list of channels names the channel's policy`, async t => {
		const alice = await signInUnder(t, policies);
		const streams = at((await alice.get('/api/v1/streams')).json, 'streams');
		const general = (Array.isArray(streams) ? streams : []).find(stream => at(stream, 'name') === 'general');

		t.is(at(general ?? null, 'topics_policy'), policies.channel);
	});
}

test('the realm refuses to move a message into an empty topic that is not allowed', async t => {
	const alice = await signInUnder(t, {organization: 'disable_empty_topic', channel: 'inherit'});
	const {json} = await alice.post('/api/v1/messages', 'type=channel&to=general&topic=soup&content=x');

	expectRefusal(t, await alice.patch(`/api/v1/messages/${at(json, 'id')}`, 'topic='), NOT_EMPTY);
	t.is(at(await newestMessage(alice), 'subject'), 'soup');
});

test('the realm moves a message out of an empty topic that is allowed no longer, without a notice there', async t => {
	const realm = await openRealm(t);
	const [alice, olivia] = [await signIn(t, 'alice', realm), await signIn(t, 'olivia', realm)];
	const general = await channelId(alice, 'general');
	const {json} = await alice.post('/api/v1/messages', 'type=channel&to=general&topic=&content=x');
	expectSuccess(t, await olivia.patch(`/api/v1/streams/${general}`, 'topics_policy=disable_empty_topic'));

	const form = 'topic=soup&send_notification_to_old_thread=true&send_notification_to_new_thread=true';
	expectSuccess(t, await alice.patch(`/api/v1/messages/${at(json, 'id')}`, form));

	const inTopic = async (topic: string) => {
		const narrow = encodeURIComponent(
			JSON.stringify([
				['channel', 'general'],
				['topic', topic],
			]),
		);
		const found = await alice.get(`/api/v1/messages?anchor=newest&num_before=9&apply_markdown=false&narrow=${narrow}`);
		return at(found.json, 'messages');
	};
	const [message = null, notice = null, ...others] = [await inTopic('soup')].flat();
	t.is(at(message, 'content'), 'x');
	t.regex(String(at(notice, 'content')), / moved a message here from /);
	t.deepEqual(others, []);
	t.false(JSON.stringify(await inTopic('')).includes(' moved a message from here '));
});

const seen = test.macro({
	title: (title = '') => `the realm stores ${title}`,
	async exec(t, featureLevel: number, stored: Readonly<Record<string, string>>) {
		const alice = await signIn(t, 'alice', await openRealm(t, {featureLevel}));
		for (const [topic, subject] of Object.entries(stored)) {
			await alice.post('/api/v1/messages', `type=channel&to=general&topic=${encodeURIComponent(topic)}&content=x`);
			t.is(at(await newestMessage(alice), 'subject'), subject, topic);
		}
	},
});

test('both names as the empty topic from feature level 370 on', seen, 370, {
	'': '',
	'general chat': '',
	'(no topic)': '',
});
test('(no topic) as it stands below feature level 370', seen, 369, {
	'': '',
	'general chat': '',
	'(no topic)': '(no topic)',
});
test('every topic under a name below feature level 334', seen, 333, {
	'': '(no topic)',
	'general chat': 'general chat',
	'(no topic)': '(no topic)',
});

for (const [capabilities, subject] of [
	['', 'general chat'],
	['&client_capabilities={"notification_settings_null":true}', 'general chat'],
	['&client_capabilities={"notification_settings_null":true,"empty_topic_name":false}', 'general chat'],
	['&client_capabilities={"notification_settings_null":true,"empty_topic_name":true}', ''],
] as const) {
	test(`a queue registered with "${capabilities}" hears of the empty topic as "${subject}"`, async t => {
		const alice = await signIn(t);
		const id = await channelId(alice, 'general');
		const messages = await queueOf(alice, 'message', capabilities);
		const mutes = await queueOf(alice, 'muted_topics', capabilities);

		await alice.post('/api/v1/messages', 'type=channel&to=general&topic=&content=x');
		await alice.post('/api/v1/user_topics', `stream_id=${id}&topic=&visibility_policy=1`);

		t.deepEqual(
			(await messages()).map(event => at(event, 'message', 'subject')),
			[subject],
		);
		t.is(at((await mutes()).at(-1) ?? null, 'muted_topics', 0, 1), subject);
		const {json} = await alice.post('/api/v1/register', `event_types=["muted_topics"]${capabilities}`);
		t.is(at(json, 'muted_topics', 0, 1), subject);
	});
}

test('the register call tells how the empty topic is displayed', async t => {
	const {json} = await (await signIn(t)).post('/api/v1/register', 'event_types=["realm"]');

	t.is(at(json, 'realm_empty_topic_display_name'), 'general chat');
});

test('the realm refuses a topic that is too long to follow, but cuts it in a message', async t => {
	const alice = await signIn(t);
	const topic = 'a'.repeat(61);

	expectRefusal(
		t,
		await alice.post('/api/v1/user_topics', `stream_id=1&topic=${topic}&visibility_policy=3`),
		badRequest('topic is too long (limit: 60 characters)'),
	);
	expectSuccess(t, await alice.post('/api/v1/messages', `type=channel&to=general&topic=${topic}&content=x`));
	t.is(at(await newestMessage(alice), 'subject'), `${'a'.repeat(57)}...`);
});
