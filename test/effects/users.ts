import type {Operations, ParametersOf, ProfileField} from '../../src/api/index.js';
import type {Effects} from './effect.js';
import type {World} from './world.js';

type Changes = Omit<ParametersOf<Operations['updateUser']>, 'user_id'>;
type Deactivation = Omit<ParametersOf<Operations['deactivateUser']>, 'user_id'>;
type FieldDetails = Omit<ParametersOf<Operations['updateProfileField']>, 'field_id'>;

/** Bob as Alice sees him after the owner changed him. */
async function bobAfter(world: World, changes: Changes, how: 'id' | 'email') {
	const [olivia, alice] = [await world.as('olivia'), await world.as('alice')];
	if (how === 'id') {
		await olivia.updateUser({user_id: 5, ...changes});
	} else {
		await olivia.updateUserByEmail({email: 'bob@bothy.example', ...changes});
	}

	return (await alice.getUser({user_id: 5, include_custom_profile_fields: true})).user;
}

/** What each way of updating Bob does to what Alice sees of him. */
function updates(how: 'id' | 'email') {
	return {
		full_name: {
			values: ['Bert Birk', undefined] as const,
			outcome: async (world: World, full_name: string | undefined) =>
				(await bobAfter(world, {full_name}, how)).full_name,
			expected: ['Bert Birk', 'Bob Birk'] as const,
		},
		role: {
			values: [300, 600] as const,
			outcome: async (world: World, role: Changes['role']) => {
				const {role: seen, is_guest} = await bobAfter(world, {role}, how);
				return [seen, is_guest];
			},
			expected: [
				[300, false],
				[600, true],
			] as const,
		},
		profile_data: {
			values: [[{id: 1, value: 'Roof'}], [{id: 1, value: null}]] satisfies [unknown, unknown],
			outcome: async (world: World, profile_data: Changes['profile_data']) =>
				(await bobAfter(world, {profile_data}, how)).profile_data?.['1']?.value,
			expected: ['Roof', undefined] as const,
		},
		new_email: {
			values: ['bert@bothy.example', undefined] as const,
			outcome: async (world: World, new_email: string | undefined) => (await bobAfter(world, {new_email}, how)).email,
			expected: ['bert@bothy.example', 'bob@bothy.example'] as const,
		},
	};
}

/** Bob writes in public and to Alice, and is deactivated: what she finds of him then, and he when he is back. */
async function leftOfBob(world: World, deactivation: Deactivation) {
	const [adam, alice, bob] = [await world.as('adam'), await world.as('alice'), await world.as('bob')];
	await bob.sendMessage({type: 'channel', to: 'lunch', topic: 'soup', content: 'Soup!'});
	await bob.sendMessage({type: 'direct', to: [4], content: 'Psst'});

	await adam.deactivateUser({user_id: 5, ...deactivation});

	const {messages} = await alice.getMessages({
		anchor: 'newest',
		num_before: 9,
		apply_markdown: false,
		narrow: [{operator: 'sender', operand: 5}],
	});
	await adam.reactivateUser({user_id: 5});
	const {messages: notices} = await bob.getMessages({
		anchor: 'newest',
		num_before: 9,
		apply_markdown: false,
		narrow: [{operator: 'sender', operand: 'notification-bot@bothy.example'}],
	});
	return {said: messages.map(({content}) => content), told: notices.map(({content}) => content)};
}

async function avatar(world: World, client_gravatar: boolean | undefined, how: 'id' | 'email' | 'list') {
	const alice = await world.as('alice');
	const user = await readBob(alice, {client_gravatar}, how);
	return user?.avatar_url?.split('/').at(2) ?? null;
}

async function mentors(world: World, include_custom_profile_fields: boolean | undefined, how: 'id' | 'email' | 'list') {
	const alice = await world.as('alice');
	const user = await readBob(alice, {include_custom_profile_fields}, how);
	return user?.profile_data?.['6']?.value;
}

type Reading = {client_gravatar?: boolean | undefined; include_custom_profile_fields?: boolean | undefined};

async function readBob(reader: Awaited<ReturnType<World['as']>>, reading: Reading, how: 'id' | 'email' | 'list') {
	if (how === 'list') {
		return (await reader.getUsers(reading)).members.find(({user_id}) => user_id === 5);
	}

	const {user} =
		how === 'id'
			? await reader.getUser({user_id: 5, ...reading})
			: await reader.getUserByEmail({email: 'bob@bothy.example', ...reading});
	return user;
}

function readings(how: 'id' | 'email' | 'list') {
	return {
		client_gravatar: {
			values: [false, undefined] as const,
			outcome: (world: World, value: boolean | undefined) => avatar(world, value, how),
			expected: ['secure.gravatar.com', null] as const,
		},
		include_custom_profile_fields: {
			values: [true, undefined] as const,
			outcome: (world: World, value: boolean | undefined) => mentors(world, value, how),
			expected: ['[3,4]', undefined] as const,
		},
	};
}

/** A field as a guest finds it. */
async function fieldAfter(world: World, change: (world: World) => Promise<number>): Promise<ProfileField | undefined> {
	const id = await change(world);
	const {custom_fields: fields} = await (await world.as('gus')).getProfileFields();
	return fields.find(field => field.id === id);
}

/** A new field of options, with one detail of it given or left out. */
function created(world: World, details: FieldDetails) {
	return fieldAfter(world, async () => {
		const adam = await world.as('adam');
		await adam.deleteProfileField({field_id: 8});
		const field_data = {0: {text: 'Red', order: '1'}};
		return (await adam.createProfileField({field_type: 3, name: 'Colour', field_data, ...details})).id;
	});
}

/** The demo organization's field of options, after one detail of it was changed. */
function updated(world: World, details: FieldDetails) {
	return fieldAfter(world, async () => {
		const adam = await world.as('adam');
		await adam.updateProfileField({field_id: 8, display_in_profile_summary: false});
		await adam.updateProfileField({field_id: 3, ...details});
		return 3;
	});
}

/** Whether Gus may choose from a field that administrators just made or changed. */
async function mayChoose(world: World, field: ProfileField | undefined): Promise<boolean> {
	const gus = await world.as('gus');
	return gus.updateProfileData({data: [{id: field?.id ?? 0, value: '0'}]}).then(
		() => true,
		() => false,
	);
}

function fieldDetails(change: typeof created) {
	return {
		name: {
			values: ['Shade', 'Tint'] as const,
			outcome: async (world: World, name: string | undefined) => (await change(world, {name}))?.name,
			expected: ['Shade', 'Tint'] as const,
		},
		hint: {
			values: ['Choose well', undefined] as const,
			outcome: async (world: World, hint: string | undefined) => (await change(world, {hint}))?.hint,
			expected: ['Choose well', ''] as const,
		},
		field_data: {
			values: [{0: {text: 'Red', order: '1'}}, {0: {text: 'Blue', order: '1'}}] satisfies [unknown, unknown],
			outcome: async (world: World, field_data: FieldDetails['field_data']) =>
				(await change(world, {field_data}))?.field_data,
			expected: ['{"0":{"text":"Red","order":"1"}}', '{"0":{"text":"Blue","order":"1"}}'] as const,
		},
		display_in_profile_summary: {
			values: [true, undefined] as const,
			outcome: async (world: World, display_in_profile_summary: boolean | undefined) =>
				(await change(world, {display_in_profile_summary}))?.display_in_profile_summary,
			expected: [true, undefined] as const,
		},
		required: {
			values: [true, undefined] as const,
			outcome: async (world: World, required: boolean | undefined) => (await change(world, {required}))?.required,
			expected: [true, false] as const,
		},
		editable_by_user: {
			values: [false, undefined] as const,
			outcome: async (world: World, editable_by_user: boolean | undefined) =>
				mayChoose(world, await change(world, {editable_by_user})),
			expected: [false, true] as const,
		},
	};
}

export const users: Effects = {
	getUsers: {
		...readings('list'),
		user_ids: {
			values: [[5, 2], undefined],
			outcome: async (world, user_ids) =>
				(await (await world.as('alice')).getUsers({user_ids})).members.map(({user_id}) => user_id).slice(0, 4),
			expected: [
				[2, 5],
				[1, 2, 3, 4],
			],
		},
	},
	getUser: readings('id'),
	getUserByEmail: readings('email'),
	updateUser: updates('id'),
	updateUserByEmail: updates('email'),
	deactivateUser: {
		deactivation_notification_comment: {
			values: ['Farewell!', undefined],
			outcome: async (world, deactivation_notification_comment) =>
				(await leftOfBob(world, {deactivation_notification_comment})).told,
			expected: [['Your account in Bothy was deactivated by @_**Adam Addo|2**.\n\n> Farewell!'], []],
		},
		actions: {
			values: [{delete_direct_messages: true}, {delete_public_channel_messages: true}],
			outcome: async (world, actions) => (await leftOfBob(world, {actions})).said,
			expected: [['Soup!'], ['Psst']],
		},
	},
	createProfileField: fieldDetails(created),
	updateProfileField: fieldDetails(updated),
};
