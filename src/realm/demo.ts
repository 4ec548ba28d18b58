// The demo organization of an empty realm: people in every role, a channel of every kind.

import {findChannelByName, insertSubscription} from './channels/channels.js';
import {writeChannelSetting} from './channels/settings.js';
import {seedGroups, seedSystemGroups} from './groups/demo.js';
import {sendMessage} from './messages/send.js';
import {cleanTopic, FIRST_LEVEL_WITH_EMPTY_TOPIC} from './messages/text.js';
import {BotType, createAccount, findAccountByEmail, Role} from './people/accounts.js';
import {type SystemGroup, systemGroupId} from './people/groups.js';
import {seedProfiles} from './profile/demo.js';
import type {Services} from './services.js';
import {openCopy, openStore, type Store} from './store/store.js';
import {FIRST_LEVEL_WITH_POLICIES} from './topics/automatic.js';
import {Policy} from './topics/policy.js';
import {setTopicPolicy} from './topics/user-topics.js';

const DOMAIN = 'bothy.example';

/** The owner of the bots is the first account. Her address may change. */
export const OWNER_ID = 1;
export const OWNER_EMAIL = `olivia@${DOMAIN}`;

const people = [
	{name: 'Olivia Owens', role: Role.owner},
	{name: 'Adam Addo', role: Role.administrator},
	{name: 'Mona Moss', role: Role.moderator},
	{name: 'Alice Ahn', role: Role.member},
	{name: 'Bob Birk', role: Role.member},
	{name: 'Carla Cruz', role: Role.member},
	{name: 'Gus Gray', role: Role.guest},
];

/** More people, for long lists. They come last, so that the others keep their IDs. */
const crowd = [
	'Dora Dahl',
	'Emil Egger',
	'Fay Fisher',
	'Hugo Hall',
	'Iris Ito',
	'Jonas Jung',
	'Kira Kent',
	'Leo Lang',
	'Nina Nash',
	'Otto Olsen',
	'Pia Park',
	'Rosa Reyes',
];

interface DemoChannel {
	readonly name: string;
	readonly description: string;
	/** First names. */
	readonly subscribers: readonly string[];
	readonly isPrivate?: boolean;
	readonly isWebPublic?: boolean;
	readonly isArchived?: boolean;
	readonly mayPost?: SystemGroup;
}

const everyone = people.map(person => firstName(person.name));
const members = everyone.filter(name => name !== 'gus');

const channels: readonly DemoChannel[] = [
	{name: 'general', description: 'For everyone and everything', subscribers: everyone},
	{name: 'lunch', description: 'Where, when, and who comes', subscribers: ['alice', 'bob', 'carla', 'mona']},
	{
		name: 'announcements',
		description: 'News that anybody on the web may read',
		subscribers: everyone,
		isWebPublic: true,
		mayPost: 'role:moderators',
	},
	{
		name: 'staff',
		description: 'Private; newcomers do not see what was said before',
		subscribers: ['olivia', 'adam', 'mona'],
		isPrivate: true,
	},
	{name: 'attic', description: 'What is over', subscribers: members, isArchived: true},
	{
		name: 'plaza',
		description: 'More than 15 people: here only administrators may call them all at once',
		subscribers: ['olivia', 'adam', 'mona', 'carla', ...crowd.map(firstName)],
	},
];

const opening: ReadonlyArray<{from: string; channel?: string; topic: string; content: string}> = [
	{
		from: 'olivia',
		topic: 'welcome',
		content: 'Welcome! This is a small chat for trying out bots. Nothing here leaves your machine.',
	},
	{
		from: 'adam',
		topic: 'welcome',
		content: 'Mention a bot here, or send it a direct message. `help` lists what it can do.',
	},
	{
		from: 'mona',
		topic: 'welcome',
		content: 'Then open its file in `bots/`, change what it says, save, and ask it again.',
	},
	{from: 'dora', channel: 'plaza', topic: '', content: 'This message has no topic, and neither has the next one.'},
	{from: 'emil', channel: 'plaza', topic: '', content: 'Clients that do not know the empty topic give it a name.'},
	{from: 'dora', channel: 'plaza', topic: 'band', content: 'Who plays on Friday?'},
];

/** Policies for topics, besides those that follow from starting a topic. */
const opinions = [
	{name: 'mona', topic: '', policy: Policy.followed},
	{name: 'mona', topic: 'band', policy: Policy.muted},
	{name: 'emil', topic: 'band', policy: Policy.muted},
];

/** The first levels at which people follow topics by themselves, and at which a topic may have no name. */
const CHANGES = [FIRST_LEVEL_WITH_POLICIES, FIRST_LEVEL_WITH_EMPTY_TOPIC];

/**
 * Databases with the demo organization, by how many of these changes their level has. Tests open many realms in memory, and
 * copying such a database is much faster than filling an empty one.
 */
const filled = new Map<number, Uint8Array>();

type Home = Pick<Services, 'clock' | 'featureLevel'> & {readonly file: string};

/** Opens the realm's database. A database in memory is a copy of the first one of this process. */
export function openHome({file, clock, featureLevel}: Home): Store {
	const demo = file === ':memory:' ? filled.get(changesUntil(featureLevel)) : undefined;
	if (!demo) {
		return openStore(file);
	}

	const store = openCopy(demo);
	const now = clock.seconds();
	store.transaction(() => {
		store.run('UPDATE accounts SET api_key = lower(hex(randomblob(16))), date_joined = ?', now);
		store.run('UPDATE user_groups SET date_created = ? WHERE date_created IS NOT NULL', now);
		store.run('UPDATE channels SET date_created = ?', now);
		store.run('UPDATE messages SET timestamp = ?', now);
		store.run('UPDATE user_topics SET last_updated = ?', now);
	});
	return store;
}

/** Fills an empty database. Leaves others unchanged. */
export function seedDemo(services: Services, {file}: {readonly file: string}): void {
	const {store, featureLevel} = services;
	if (store.get('SELECT id FROM organization')) {
		return;
	}

	fill(services);
	if (file === ':memory:') {
		filled.set(changesUntil(featureLevel), store.bytes());
	}
}

function changesUntil(featureLevel: number): number {
	return CHANGES.filter(level => level <= featureLevel).length;
}

function fill(services: Services): void {
	const {store} = services;
	const now = services.clock.seconds();
	store.transaction(() => {
		seedOrganization(store);
		for (const {name, role} of people) {
			createAccount(store, {email: emailOf(firstName(name)), full_name: name, role, date_joined: now});
		}

		createAccount(store, {
			email: `notification-bot@${DOMAIN}`,
			full_name: 'Notification Bot',
			role: Role.member,
			date_joined: now,
			bot_type: BotType.generic,
			is_system_bot: 1,
		});
		for (const name of crowd) {
			createAccount(store, {email: emailOf(firstName(name)), full_name: name, role: Role.member, date_joined: now});
		}

		store.run('UPDATE accounts SET can_create_users = 1, can_change_user_emails = 1 WHERE id = ?', OWNER_ID);
		seedProfiles(store, name => findAccountByEmail(store, emailOf(name)));
		seedGroups(store, {now, emailOf});
		for (const channel of channels) {
			seedChannel(store, channel, now);
		}

		for (const message of opening) {
			say(services, message);
		}

		for (const opinion of opinions) {
			form(services, opinion);
		}
	});
}

function seedOrganization(store: Store): void {
	seedSystemGroups(store);
	store.run(
		`INSERT INTO organization (id, name, description, domain, topics_policy, can_mention_many_users_group)
		VALUES (1, 'Bothy', 'A place to try out bots', ?, 'allow_empty_topic', ?)`,
		DOMAIN,
		systemGroupId(store, 'role:administrators'),
	);
}

function seedChannel(store: Store, channel: DemoChannel, now: number): void {
	const id = store.run(
		`INSERT INTO channels (name, description, date_created, creator_id, is_archived, invite_only, is_web_public,
			is_default, history_public_to_subscribers)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		channel.name,
		channel.description,
		now,
		OWNER_ID,
		channel.isArchived ? 1 : 0,
		channel.isPrivate ? 1 : 0,
		channel.isWebPublic ? 1 : 0,
		channel.name === 'general' ? 1 : 0,
		channel.isPrivate ? 0 : 1,
	);
	if (channel.mayPost) {
		writeChannelSetting(store, id, {name: 'can_send_message_group', value: systemGroupId(store, channel.mayPost)});
	}

	for (const name of channel.subscribers) {
		const account = findAccountByEmail(store, emailOf(name));
		if (account) {
			insertSubscription(store, account.id, id);
		}
	}
}

function say(services: Services, {from, channel: place = 'general', topic, content}: (typeof opening)[number]): void {
	const sender = findAccountByEmail(services.store, emailOf(from));
	const channel = findChannelByName(services.store, place);
	if (sender && channel) {
		sendMessage(services, {
			sender,
			client: 'website',
			destination: {kind: 'channel', channel: {id: channel.id}, topic},
			content,
		});
	}
}

function form(services: Services, {name, topic, policy}: (typeof opinions)[number]): void {
	const account = findAccountByEmail(services.store, emailOf(name));
	const channel = findChannelByName(services.store, 'plaza');
	if (account && channel) {
		setTopicPolicy(services, account, {channel, topic: cleanTopic(topic, services)}, policy);
	}
}

function firstName(name: string): string {
	return name.split(' ')[0]?.toLowerCase() ?? name;
}

function emailOf(name: string): string {
	return `${name}@${DOMAIN}`;
}
