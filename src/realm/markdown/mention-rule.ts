// Parses `@**Full Name**`, `@**Full Name|12**`, `@*group*` and the wildcards (service-facts.md 7.5).

import type {Env, StateInline} from 'markdown-it';
import {type Account, findAccount, listAccounts} from '../people/accounts.js';
import {findGroupByName} from '../people/groups.js';
import type {Store} from '../store/store.js';
import {escapeText} from './escape-html.js';

/** The mentions in a message that notify people. */
export interface Mentions {
	readonly userIds: Set<number>;
	readonly groupIds: Set<number>;
	hasChannelWildcard: boolean;
	hasTopicWildcard: boolean;
}

/** The state while one message is rendered. */
export interface MessageEnv extends Env {
	readonly store: Store;
	readonly author: Account | undefined;
	readonly mentions: Mentions;
	readonly isQuoted: boolean;
	/** Nesting depth of quotes and spoilers. */
	readonly depth: number;
}

const pattern = /@(?<silent>_?)(?:\*\*(?<name>[^*\n]+)\*\*|\*(?<group>[^*\n]+)\*(?!\*))/y;

export function mention(state: StateInline, onlyLook: boolean): boolean {
	pattern.lastIndex = state.pos;
	const groups = pattern.exec(state.src)?.groups;
	if (!groups || !mayStartHere(state)) {
		return false;
	}

	const end = pattern.lastIndex;
	const env = state.env as MessageEnv;
	const isSilent = groups.silent === '_' || env.isQuoted;
	const render = groups.name === undefined ? renderGroup : renderName;
	const html = render({text: groups.name ?? groups.group ?? '', isSilent, env, onlyLook});
	if (html === undefined) {
		return false;
	}

	if (!onlyLook) {
		state.push('html_inline', '', 0).content = html;
	}

	state.pos = end;
	return true;
}

interface Found {
	text: string;
	isSilent: boolean;
	env: MessageEnv;
	onlyLook: boolean;
}

/** A mention begins at the start of a line, after a space or after an opening sign, but not within a word. */
function mayStartHere(state: StateInline): boolean {
	const before = state.src[state.pos - 1];
	return before === undefined || /[\s'"({[/<]/.test(before);
}

function renderName(found: Found): string | undefined {
	return renderWildcard(found) ?? renderUser(found);
}

function renderWildcard({text, isSilent, env, onlyLook}: Found): string | undefined {
	const isTopic = text === 'topic';
	if (!isTopic && !['all', 'everyone', 'channel', 'stream'].includes(text)) {
		return undefined;
	}

	if (!isSilent && !onlyLook) {
		env.mentions[isTopic ? 'hasTopicWildcard' : 'hasChannelWildcard'] = true;
	}

	const kind = isTopic ? 'class="topic-mention' : 'class="user-mention channel-wildcard-mention';
	const whom = isTopic ? '' : ' data-user-id="*"';
	return span(`${kind}${isSilent ? ' silent' : ''}"${whom}`, text, isSilent);
}

function renderUser({text, isSilent, env, onlyLook}: Found): string | undefined {
	const account = findMentioned(env.store, text);
	if (!account) {
		return undefined;
	}

	const staysSilent = isSilent || !account.is_active;
	if (!staysSilent && !onlyLook) {
		env.mentions.userIds.add(account.id);
	}

	const attributes = `class="user-mention${staysSilent ? ' silent' : ''}" data-user-id="${account.id}"`;
	return span(attributes, account.full_name, staysSilent);
}

/** The displayed names of system groups. */
const systemNames: Readonly<Record<string, string>> = {
	'role:owners': 'Owners',
	'role:administrators': 'Administrators',
	'role:moderators': 'Moderators',
	'role:fullmembers': 'Full members',
	'role:members': 'Members',
	'role:everyone': 'Everyone',
	'role:internet': 'Everyone on the internet',
	'role:nobody': 'Nobody',
};

function renderGroup({text, isSilent, env, onlyLook}: Found): string | undefined {
	const group = findGroupByName(env.store, text);
	if (group?.name !== text) {
		return undefined;
	}

	const staysSilent = isSilent || group.deactivated === 1;
	if (!staysSilent && !onlyLook) {
		env.mentions.groupIds.add(group.id);
	}

	const attributes = `class="user-group-mention${staysSilent ? ' silent' : ''}" data-user-group-id="${group.id}"`;
	return span(attributes, systemNames[group.name] ?? group.name, staysSilent);
}

/** `Name` without case, `Name|12` exactly, or `|12`. */
function findMentioned(store: Store, text: string): Account | undefined {
	const withId = /^(?<name>.*)\|(?<id>\d{1,15})$/.exec(text)?.groups;
	if (!withId) {
		return findNamed(store, text);
	}

	const account = findAccount(store, Number(withId.id));
	return withId.name === '' || account?.full_name === withId.name ? account : undefined;
}

/** Ignores case, but only that of ASCII letters, as SQLite does. Prefers active accounts. */
function findNamed(store: Store, name: string): Account | undefined {
	const sql = 'SELECT * FROM accounts WHERE full_name = ? COLLATE NOCASE ORDER BY is_active DESC, id';
	const found = store.get<Account>(sql, name);
	if (found) {
		return found;
	}

	const named = listAccounts(store).filter(account => account.full_name.toLowerCase() === name.toLowerCase());
	return named.find(account => account.is_active) ?? named[0];
}

function span(attributes: string, name: string, isSilent: boolean): string {
	return `<span ${attributes}>${isSilent ? '' : '@'}${escapeText(name)}</span>`;
}
