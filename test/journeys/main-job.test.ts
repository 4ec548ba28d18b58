// The main job with nothing replaced: a person writes, the realm posts a webhook, a bot answers in the conversation.

import test, {type ExecutionContext} from 'ava';
import {signIn, startBothy} from '../helpers/bothy.js';

/** Every message of a conversation that a bot wrote, once nothing is on its way any more. */
async function answersOf(t: ExecutionContext, realmUrl: string) {
	const owner = await signIn(t, realmUrl, 'olivia@bothy.example');
	const {messages} = await owner.getMessages({anchor: 'newest', num_before: 1000, apply_markdown: false});
	return messages.filter(message => message.sender_email.includes('-bot@'));
}

test('each bot answers once in a channel and once directly', async t => {
	const bothy = await startBothy(t);
	const alice = await signIn(t, bothy.realmUrl, 'alice@bothy.example');
	const heard = await alice.listen();
	const {members} = await alice.getUsers();
	const bots = members.filter(user => user.bot_type === 3);

	const asks: Record<string, {text: string; expected: RegExp}> = {
		Assistant: {text: 'minutes', expected: /^I may not look into your drafts\./},
		Echo: {text: 'hello', expected: /^hello$/},
		Lunch: {text: 'join Market', expected: /^\* \*\*Market\*\*: Alice Ahn$/},
		Poll: {text: 'ask "Where?" here, there', expected: /^\*\*Where\?\*\* \(`results \d+` counts\)$/},
		Steward: {text: 'who kitchen', expected: /^\* /},
		Dice: {text: 'roll 2d6', expected: /^:game_die: [1-6] \+ [1-6] = \*\*\d+\*\*$/},
		// Kept for the next standup, which may be on another day.
		Standup: {text: 'work', expected: /^(Tell me in a direct message|Noted for the next standup)/},
		Remind: {text: 'me in 2 seconds tea', expected: /^I will remind you at <time:.+>\.$/},
	};
	t.deepEqual(bots.map(bot => bot.full_name).toSorted(), Object.keys(asks).toSorted());

	for (const bot of bots) {
		const {text, expected} = asks[bot.full_name] ??
			t.fail(`no question for ${bot.full_name}`) ?? {text: '', expected: /x/};
		const fromBot = (type: string) => (message: {sender_email: string; type: string}) =>
			message.sender_email === bot.email && message.type === type;

		await alice.sendMessage({type: 'channel', to: 'general', topic: 'bots', content: `@**${bot.full_name}** ${text}`});
		t.regex((await heard.next(fromBot('stream'))).content, expected);

		await alice.sendMessage({type: 'direct', to: [bot.user_id], content: text});
		t.regex((await heard.next(fromBot('private'))).content, expected);
	}

	// The reminders come through the worker and the REST API.
	const isReminder = (type: string) => (message: {content: string; type: string}) =>
		message.type === type && message.content === `@**Alice Ahn|${alice.id}** tea`;
	t.is((await heard.next(isReminder('stream'))).subject, 'bots');
	await heard.next(isReminder('private'));

	const answers = await answersOf(t, bothy.realmUrl);
	t.is(answers.length, bots.length + 1, 'one answer of each bot in the channel, and one reminder');
	t.is(await bothy.stop(), 0);
	t.notRegex(bothy.output(), /Error|fail/i);
});
