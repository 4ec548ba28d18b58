// Questions to others: what holds for any order of questions, answers, reruns and time.

import test from 'ava';
import fc from 'fast-check';
import {createQuestions} from '../../src/bot/context/questions.js';
import {Memory} from '../../src/testing/memory.js';
import {createMemoryValueStore} from '../../src/testing/memory-value-store.js';
import {payload} from '../helpers/payload.js';

const {message, ...rest} = payload({text: 'yes'});
const place = {type: 'stream' as const, stream_id: 7, display_recipient: 'general', subject: 'asked'};
const answer = {...rest, message: {...message, ...place}};

const untilOf = (question: number) => 20 * (question + 1);
const step = fc.oneof(
	fc.record({asks: fc.constantFrom('a new question', 'again, in a rerun')}),
	// The same number again is a rerun of the delivery that answers.
	fc.record({answers: fc.nat(3), dies: fc.boolean()}),
	fc.record({passes: fc.integer({min: 1, max: 20})}),
);

test('a question is answered once and in time, and a delivery answers one question, also if it dies after any write', async t => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, {maxLength: 25}), async steps => {
			const memory = new Memory();
			const store = createMemoryValueStore(memory, 'questions');
			const answerOf = new Map<string, string>();
			let time = 0;
			let latest = 0;
			const of = (delivery: string, {dies = false} = {}) => {
				const ref = {account: 'a', id: delivery};
				memory.deliveries.set(`a ${delivery}`, {status: 'running', run: 1} as never);
				const values = store({ref, run: 1});
				const put: typeof values.put = async (...write) => {
					const result = await values.put(...write);
					if (dies && result === 'put') {
						throw new Error('died after a write');
					}

					return result;
				};
				return createQuestions({values: {...values, put}, delivery, now: () => time});
			};

			for (const step of steps) {
				if ('passes' in step) {
					time += step.passes;
				} else if ('asks' in step) {
					latest += step.asks === 'a new question' ? 1 : 0;
					const question = {name: 'decide', question: `question ${latest}`, until: untilOf(latest)};
					const asker = {from: {dm: [1]}, by: {id: 1, mention: '@**A|1**'}};
					await of(`asks ${latest}`).put(message.sender_id, {channel: 7, topic: 'asked'}, {...question, ...asker});
				} else {
					const delivery = `answers ${step.answers}`;
					const found = await of(delivery, step).find(answer);
					const before = answerOf.get(delivery);
					// A process that dies has taken the question, and its rerun answers it.
					if (found && (await found.take().catch(() => true))) {
						const others = [...answerOf].filter(([other]) => other !== delivery).map(([, question]) => question);
						t.is(before ?? found.question, found.question);
						t.false(others.includes(found.question));
						t.true(before !== undefined || time < untilOf(Number(found.question.split(' ')[1])));
						answerOf.set(delivery, found.question);
					} else {
						t.is(before, undefined);
					}
				}
			}
		}),
		{numRuns: 300},
	);
});
