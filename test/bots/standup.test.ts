import test from 'ava';
import standup from '../../bots/standup.js';
import {talk} from '../helpers/talk.js';

const PLACE = {channel: 'general', topic: 'standup'};
const plan = (text: string, id = 9) => ({
	text,
	trigger: 'direct_message',
	message: {type: 'private' as const, sender_id: id, display_recipient: []},
});

test('standup asks in the morning', async t => {
	const {fire, sent} = talk(standup);

	await fire('ask');

	t.like(sent[0] ?? {}, {target: PLACE});
	t.regex(sent[0]?.text ?? '', /Tell me in a direct message before 9:00 UTC/);
});

test('standup keeps the last plan of each person for the next weekday, and counts them', async t => {
	const {say, fire, sent} = talk(standup, Date.now());

	t.deepEqual(await say(plan('sleep')), ['Noted for the next standup. Write again to change it.']);
	await say(plan('work'));
	await say(plan('play', 10));
	await fire('digest');

	t.like(sent[1] ?? {}, {target: PLACE, text: '**Alice Ahn**: work'});
	const due = new Date(sent[1]?.dueAt ?? 0);
	t.is(due.toISOString().slice(11, 19), '09:00:05');
	t.true(due.getUTCDay() >= 1 && due.getUTCDay() <= 5);
	t.true(due.getTime() - Date.now() < 4 * 24 * 3_600_000);
	t.is(sent.at(-1)?.text, 'Good morning! Today there are 2 plans.');
});

test('standup in a channel asks for a direct message', async t => {
	t.deepEqual(await talk(standup).say({}), ['Tell me in a direct message what you are going to do.']);
});
