// Two hosts of one bot share its conversations. Both get an answer to one question at the same moment.

import test, {type ExecutionContext} from 'ava';
import {z} from 'zod';
import {bot} from '../../src/bot/bot.js';
import {createDeliveries} from '../../src/delivery/deliveries.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {assignBots, type BotAccount, handleWith} from '../../src/host/bots.js';
import {createLog} from '../../src/log.js';
import {createValueStore} from '../../src/storage/values.js';
import {payload} from '../helpers/payload.js';
import {connect, startRedis} from '../helpers/redis.js';

const asker = bot({about: 'Asks', perMinute: 0})
	.command('ask', {about: 'Be asked'}, ctx => ctx.ask('number', 'Which?'))
	.answer('number', z.coerce.number(), async (ctx, number) => {
		await ctx.storage.update('taken', z.array(z.number()), (taken = []) => [...taken, number]);
		await ctx.reply(`took ${number}`);
	})
	.on('mention', ctx => ctx.reply(`heard ${ctx.text}`));

async function startHost(t: ExecutionContext, url: string, process: string) {
	const redis = await connect(t, url);
	const log = createLog({level: 'silent', pretty: false});
	const section = {
		name: 'asker',
		email: 'echo-bot@chat.example.com',
		key: 'k',
		site: 'https://chat.example.com',
		tokens: ['t'],
		bot: 'asker',
	};
	const [account] = assignBots([section], {loaded: [{name: 'asker', file: '', bot: asker}], broken: []});
	if (!account) {
		throw new Error('Expected an account');
	}

	const unused = async () => {
		throw new Error('Expected nothing but questions');
	};
	const deliveries = createDeliveries<BotAccount>({
		process,
		store: createRedisStore(redis),
		log,
		isDead: () => false,
		async enqueue() {},
		handle: handleWith({
			log,
			schedules: {list: unused, cancel: unused, reschedule: unused, replace: unused},
			values: createValueStore(redis),
			questions: createValueStore(redis, 'questions'),
			sight: {of: unused},
			fetchOnce: unused,
			clientOf: () => undefined,
			sent: unused,
		}),
	});
	t.teardown(() => deliveries.close(1_000));
	return async (text: string, id: number) => {
		const work = {kind: 'message', payload: payload({text, message: {id}})} as const;
		const arrival = {account, work, arrivedAt: performance.now()};
		return JSON.parse((await deliveries.receive(arrival)).body).content as string;
	};
}

test('if two hosts get answers to one question, one takes the answer and the other gets an ordinary message', async t => {
	const url = await startRedis(t);
	const [first, second] = [await startHost(t, url, 'one'), await startHost(t, url, 'two')];
	for (let round = 0; round < 20; round += 1) {
		const id = 10 * round;
		t.is(await first('ask', id + 1), 'Which?');

		const answers = await Promise.all([first('7', id + 2), second('8', id + 3)]);

		t.is(answers.filter(answer => answer.startsWith('took ')).length, 1, answers.join());
		t.is(answers.filter(answer => answer.startsWith('heard ')).length, 1, answers.join());
	}
});
