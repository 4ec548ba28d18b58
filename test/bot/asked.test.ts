// Questions to others, between deliveries that may be run again.

import test from 'ava';
import {createQuestions} from '../../src/bot/questions.js';
import {Memory} from '../../src/testing/memory.js';
import {createMemoryValueStore} from '../../src/testing/memory-value-store.js';
import {payload} from '../helpers/payload.js';

const ACCOUNT = 'https://chat.example.com|bot@chat.example.com';

function start() {
	const memory = new Memory();
	const store = createMemoryValueStore(memory, 'questions');
	let time = 1_000;
	return {
		pass(ms: number) {
			time += ms;
		},
		/** As a run of that delivery sees them. */
		of(delivery: string) {
			const ref = {account: ACCOUNT, id: delivery};
			memory.deliveries.set(`${ACCOUNT} ${delivery}`, {status: 'running', run: 1} as never);
			return createQuestions({values: store({ref, run: 1}), delivery, now: () => time});
		},
	};
}

const asked = {name: 'decide', question: 'Well?', until: 61_000, from: {dm: [1]}, by: {id: 1, mention: '@**A|1**'}};
const {message: written, ...rest} = payload({text: 'yes'});
const person = written.sender_id;
const people = [
	{id: person, email: written.sender_email, full_name: 'Alice Ahn', is_mirror_dummy: false},
	{id: 99, email: rest.bot_email, full_name: 'Bot', is_mirror_dummy: false},
];
const answer = {...rest, message: {...written, type: 'private' as const, display_recipient: people}};

test('one delivery takes an answer, in each of its runs, and no other', async t => {
	const {of} = start();
	await of('asks').put(person, {dm: [person]}, asked);
	const [first, second] = [await of('first').find(answer), await of('second').find(answer)];

	t.deepEqual([await first?.take(), await second?.take()], [true, false]);
	t.is(await of('third').find(answer), undefined);
	const again = await of('first').find(answer);
	t.like(again, {name: 'decide', from: {dm: [1]}});
	t.true(await again?.take());
});

test('a rerun does not repeat a question that was answered in the meantime, and may ask a new one', async t => {
	const {of, pass} = start();
	await of('asks').put(person, {dm: [person]}, asked);
	t.true(await (await of('first').find(answer))?.take());
	await of('asks').put(person, {dm: [person]}, asked);

	t.is(await of('second').find(answer), undefined);
	await of('asks anew').put(person, {dm: [person]}, {...asked, until: 62_000});
	t.like(await of('second').find(answer), {name: 'decide'});
	pass(62_000);
	t.is(await of('third').find(answer), undefined);
});

test('a question waits in its place, by the name of the channel or by its ID, and has a limit', async t => {
	const {of} = start();
	const place = {type: 'stream' as const, stream_id: 7, display_recipient: 'General', subject: 'Lunch'};
	const inChannel = {...rest, message: {...written, ...place}};

	for (const channel of ['general', 7]) {
		await of('asks').put(person, {channel, topic: 'lunch'}, {...asked, until: channel === 7 ? 62_000 : 61_000});
		t.is(await of('x').find(answer), undefined);
		t.true(await (await of(String(channel)).find(inChannel))?.take());
	}

	await t.throwsAsync(of('asks').put(person, {dm: [person]}, {...asked, data: 'x'.repeat(20_000)}), {
		instanceOf: RangeError,
		message: /at most 16384 bytes/,
	});
	await t.throwsAsync(of('asks').put(person, {dm: [person]}, {...asked, data: {at: new Date()}}), {
		message: /got a Date in `at`/,
	});
});
