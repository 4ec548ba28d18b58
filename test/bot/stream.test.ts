// Text that grows, whatever is written and however its service behaves.

import test from 'ava';
import fc from 'fast-check';
import {createStream} from '../../src/bot/context/stream.js';

/** The messages at the end, and how often they were shown. */
function startStream({canGrow = true, isRerun = false, failsToShow = false} = {}) {
	const messages: string[] = [];
	let shows = 0;
	let noteShow = () => {};
	const shown = new Promise<void>(resolve => {
		noteShow = resolve;
	});
	const ends: (() => Promise<void>)[] = [];
	const stream = createStream(
		{
			isRerun,
			log: {warn() {}},
			canGrow: async () => canGrow,
			async open(text) {
				messages.push(text);
				return String(messages.length - 1);
			},
			async finish(send, text) {
				messages[Number(send)] = text;
			},
			async show(send, text) {
				shows++;
				noteShow();
				if (failsToShow) {
					throw new Error('refused');
				}

				messages[Number(send)] = text;
			},
		},
		end => ends.push(end),
	);
	return {stream, messages, ends, shows: () => shows, shown};
}

const piece = fc.oneof(
	fc.string({maxLength: 200}),
	fc.string({unit: 'binary', maxLength: 50}),
	fc.nat({max: 12_000}).map(length => 'word '.repeat(length / 5)),
	fc.nat({max: 12_000}).map(length => '😀'.repeat(length)),
);

test('any text is split into messages that the service accepts, and nothing is lost', async t => {
	await fc.assert(
		fc.asyncProperty(fc.array(piece, {maxLength: 8}), fc.boolean(), fc.boolean(), async (pieces, canGrow, isRerun) => {
			const {stream, messages} = startStream({canGrow, isRerun});
			await Promise.all(pieces.map(text => stream.write(text)));
			await stream.end();

			const text = pieces.join('').toWellFormed().replaceAll('\0', '\uFFFD');
			t.is(messages.join('').trimEnd(), text.trim() === '' ? '' : text.trimEnd());
			t.true(messages.every(message => message.length <= 10_000 && message.isWellFormed()));
		}),
		{numRuns: 60},
	);
});

test('a rerun shows only the final text, and a message that cannot be updated gets its text in the end', async t => {
	const rerun = startStream({isRerun: true});
	await rerun.stream.write('one');
	// Fires after a timer that writing would have set.
	await new Promise(resolve => setTimeout(resolve, 0));
	t.deepEqual(rerun.messages, ['…']);
	await rerun.ends[0]?.();
	t.deepEqual([rerun.messages, rerun.shows()], [['one'], 0]);

	const refused = startStream({failsToShow: true});
	await refused.stream.write('one');
	await refused.shown;

	await refused.stream.write(' two');
	await refused.stream.end();
	t.deepEqual([refused.messages, refused.shows()], [['one two'], 1]);
});
