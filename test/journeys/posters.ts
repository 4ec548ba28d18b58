// Bots for repositories of people's own, and somebody who talks to them.

import type {ExecutionContext} from 'ava';
import {signIn} from '../helpers/bothy.js';

/** Source of a bot that says something at once, and something that a worker posts. */
export const poster = (word: string) => `
	import {bot} from 'bothy';
	export default bot({about: 'Posts'}).command('post', {about: 'Post'}, async ctx => {
		await ctx.send(ctx.here, '${word} later');
		await ctx.reply('${word}');
	});
`;

/** A person who talks to bots of a realm by their full names. */
export async function openTalk(t: ExecutionContext, realmUrl: string, email = 'alice@bothy.example') {
	const person = await signIn(t, realmUrl, email);
	const queue = await person.listen();
	return async function say(bot: string, text: string): Promise<() => Promise<string>> {
		const {members} = await person.getUsers();
		const found = members.find(member => member.full_name === bot);
		await person.sendMessage({type: 'direct', to: [found?.user_id ?? 0], content: text});
		return async () => (await queue.next(({sender_email: sender}) => sender === found?.email)).content;
	};
}
