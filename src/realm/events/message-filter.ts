// Which messages a queue with a narrow gets; few operators work here (service-facts.md 3.1).

import {badNarrow} from '../messages/narrow.js';
import type {MessageRow} from '../messages/rows.js';
import {readTopic, topicKey} from '../messages/text.js';

export type MessageFilter = (message: MessageRow, flags: readonly string[]) => boolean;

export function messageFilter(narrow: ReadonlyArray<readonly [string, string]>): MessageFilter {
	const filters = narrow.map(([operator, operand]) => {
		const makeFilter = operators[operator];
		if (!makeFilter) {
			throw badNarrow(`unknown operator ${operator}`);
		}

		return makeFilter(operand);
	});

	return (message, flags) => filters.every(filter => filter(message, flags));
}

type MakeFilter = (operand: string) => MessageFilter;

const channel: MakeFilter = operand => message =>
	message.channel_name !== null && (same(message.channel_name, operand) || String(message.channel_id) === operand);

const operators: Readonly<Record<string, MakeFilter>> = {
	channel,
	stream: channel,
	topic: operand => message => message.channel_id !== null && message.topic_key === topicKey(readTopic(operand)),
	sender: operand => message => same(message.sender_email, operand) || String(message.sender_id) === operand,
	dm: operand => message => message.member_ids?.split(',').includes(operand) ?? same(message.sender_email, operand),
	is: operand => states[operand] ?? refuse(operand),
};

const isDirect: MessageFilter = message => message.channel_id === null;

const states: Readonly<Record<string, MessageFilter>> = {
	dm: isDirect,
	private: isDirect,
	mentioned: (_message, flags) => flags.includes('mentioned') || flags.includes('wildcard_mentioned'),
	unread: (_message, flags) => !flags.includes('read'),
	starred: (_message, flags) => flags.includes('starred'),
};

function refuse(operand: string): never {
	throw badNarrow(`unknown 'is' operand ${operand}`);
}

function same(one: string, other: string): boolean {
	return one.toLowerCase() === other.trim().toLowerCase();
}
