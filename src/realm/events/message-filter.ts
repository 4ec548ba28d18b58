// Filters messages for a queue with a narrow. It supports only a few operators (service-facts.md 3.1).

import {badRequest} from '../errors.js';
import {memberKey} from '../messages/conversations.js';
import {peopleOf} from '../messages/narrow/narrow-terms.js';
import type {MessageRow} from '../messages/rows.js';
import {RESOLVED_PREFIX, topicKeys} from '../messages/text.js';
import type {Account} from '../people/accounts.js';
import {shownEmail} from '../people/addresses.js';
import type {Store} from '../store/store.js';

export type MessageFilter = (message: MessageRow, flags: readonly string[]) => boolean;

export function messageFilter(
	store: Store,
	reader: Account,
	narrow: ReadonlyArray<readonly [string, string]>,
): MessageFilter {
	const filters = narrow.map(([operator, operand]) => {
		const makeFilter = Object.hasOwn(operators, operator) ? operators[operator] : undefined;
		if (!makeFilter) {
			throw badRequest(`Operator ${operator} not supported.`);
		}

		return makeFilter(operand, store, reader);
	});

	return (message, flags) => filters.every(filter => filter(message, flags));
}

type MakeFilter = (operand: string, store: Store, reader: Account) => MessageFilter;

const channel: MakeFilter = operand => message => message.channel_name !== null && same(message.channel_name, operand);

const operators: Readonly<Record<string, MakeFilter>> = {
	channel,
	stream: channel,
	topic: operand => message => message.channel_id !== null && topicKeys(operand).includes(message.topic_key),
	sender: (operand, store) => message =>
		same(shownEmail(store, {id: message.sender_id, email: message.sender_email}), operand),
	dm(operand, store, reader) {
		const members = memberKey([reader.id, ...peopleOf(store, operand).map(account => account.id)]);
		return message => message.member_ids === members;
	},
	is(operand) {
		if (operand === 'followed') {
			throw badRequest(`Operand ${operand} not supported.`);
		}

		// Real servers let everything else pass.
		return (Object.hasOwn(states, operand) ? states[operand] : undefined) ?? (() => true);
	},
};

const isDirect: MessageFilter = message => message.channel_id === null;

const isMentioned: MessageFilter = (_message, flags) => flags.includes('mentioned');

const states: Readonly<Record<string, MessageFilter>> = {
	dm: isDirect,
	private: isDirect,
	mentioned: isMentioned,
	unread: (_message, flags) => !flags.includes('read'),
	// So real servers have it.
	alerted: isMentioned,
	resolved: message => message.channel_id !== null && message.topic.startsWith(RESOLVED_PREFIX),
	starred: (_message, flags) => flags.includes('starred'),
};

function same(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}
