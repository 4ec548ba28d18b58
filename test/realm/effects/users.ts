import type {User} from '../../../src/api/index.js';
import {effects} from './effect.js';
import type {World} from './world.js';

const BOB = {user_id: 5};
const BOBS_EMAIL = {email: 'bob@bothy.example'};

/** What Alice sees of Bob after he was changed. */
async function bobAfter({alice}: World, change: Promise<unknown>) {
	await change;
	const {user} = await alice.getUser({...BOB, include_custom_profile_fields: true});
	const {email, full_name: name, role, is_guest: isGuest, profile_data: profile} = user;
	return {email, name, role, isGuest, place: profile?.['1']?.value};
}

const BEFORE = {email: 'bob@bothy.example', name: 'Bob Birk', role: 400, isGuest: false, place: 'Second floor'};

/** Whichever way Bob is changed. */
const changes = {
	full_name: ['Bert Birk', undefined, {...BEFORE, name: 'Bert Birk'}, BEFORE],
	role: [300, 600, {...BEFORE, role: 300}, {...BEFORE, role: 600, isGuest: true}],
	profile_data: [
		[{id: 1, value: 'Roof'}],
		[{id: 1, value: null}],
		{...BEFORE, place: 'Roof'},
		{...BEFORE, place: undefined},
	],
	new_email: ['bert@bothy.example', undefined, {...BEFORE, email: 'bert@bothy.example'}, BEFORE],
} satisfies Parameters<typeof effects<'updateUser'>>[1];

const reading = (user: User | undefined) => ({
	picture: user?.avatar_url?.split('/').at(2),
	mentors: user?.profile_data?.['6']?.value,
});

const UNREAD = {picture: undefined, mentors: undefined};
const readings = {
	client_gravatar: [false, undefined, {...UNREAD, picture: 'secure.gravatar.com'}, UNREAD],
	include_custom_profile_fields: [true, undefined, {...UNREAD, mentors: '[3,4]'}, UNREAD],
} satisfies Parameters<typeof effects<'getUser'>>[1];

export const users = [
	...effects('getUsers', readings, async ({alice}, given) =>
		reading((await alice.getUsers(given)).members.find(({user_id}) => user_id === BOB.user_id)),
	),
	...effects('getUser', readings, async ({alice}, given) => reading((await alice.getUser({...BOB, ...given})).user)),
	...effects('getUserByEmail', readings, async ({alice}, given) =>
		reading((await alice.getUserByEmail({...BOBS_EMAIL, ...given})).user),
	),
	...effects('getUsers', {user_ids: [[5, 2], undefined, [2, 5], [1, 2, 3, 4]]}, async ({alice}, given) =>
		(await alice.getUsers(given)).members.map(({user_id}) => user_id).slice(0, 4),
	),
	...effects('updateUser', changes, (world, given) => bobAfter(world, world.olivia.updateUser({...BOB, ...given}))),
	...effects('updateUserByEmail', changes, (world, given) =>
		bobAfter(world, world.olivia.updateUserByEmail({...BOBS_EMAIL, ...given})),
	),
	// What Alice finds of Bob once he is deactivated, and what he was told when he is back.
	...effects(
		'deactivateUser',
		{
			deactivation_notification_comment: [
				'Farewell!',
				undefined,
				{
					said: ['Soup!', 'Psst'],
					told: ['Your account in Bothy was deactivated by @_**Adam Addo|2**.\n\n> Farewell!'],
				},
				{said: ['Soup!', 'Psst'], told: []},
			],
			actions: [
				{delete_direct_messages: true},
				{delete_public_channel_messages: true},
				{said: ['Soup!'], told: []},
				{said: ['Psst'], told: []},
			],
		},
		async ({adam, alice, bob}, given) => {
			await bob.sendMessage({type: 'channel', to: 'lunch', topic: 'soup', content: 'Soup!'});
			await bob.sendMessage({type: 'direct', to: [4], content: 'Psst'});
			await adam.deactivateUser({...BOB, ...given});

			const from = async (reader: typeof alice, sender: number | string) => {
				const narrow = [{operator: 'sender', operand: sender}];
				const {messages} = await reader.getMessages({
					anchor: 'newest',
					num_before: 9,
					apply_markdown: false,
					narrow,
				});
				return messages.map(({content}) => content);
			};
			const said = await from(alice, BOB.user_id);
			await adam.reactivateUser(BOB);
			return {said, told: await from(bob, 'notification-bot@bothy.example')};
		},
	),
];
