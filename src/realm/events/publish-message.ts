// Publishes a new message to the queues, each in the form that it asked for (service-facts.md 3.3).

import type {ChannelRow} from '../channels/channels.js';
import {type Flag, flagBits, flagNames} from '../messages/flags.js';
import {presentMessage} from '../messages/present.js';
import {findMessage} from '../messages/rows.js';
import type {Services} from '../services.js';

export interface Publication {
	readonly messageId: number;
	/** The receivers. */
	readonly flags: ReadonlyMap<number, readonly Flag[]>;
	/** Absent for direct messages. */
	readonly channel: ChannelRow | undefined;
	readonly echo: {readonly queueId: string; readonly localId: string} | undefined;
}

export function publishMessage({store, queues}: Services, {messageId, flags, channel, echo}: Publication): void {
	const message = findMessage(store, messageId);
	if (!message) {
		return;
	}

	queues.publishEach('message', queue => {
		const {options} = queue;
		const own = flags.get(options.userId);
		const isOverheard = options.allPublicStreams && channel !== undefined && !channel.invite_only;
		const names = flagNames(flagBits(own ?? []));
		if ((!own && !isOverheard) || !options.accepts(message, names)) {
			return undefined;
		}

		const isEcho = echo?.queueId === queue.id && message.sender_id === options.userId;
		return {
			message: presentMessage(store, message, {
				applyMarkdown: options.applyMarkdown,
				clientGravatar: options.clientGravatar,
				allowEmptyTopicName: options.emptyTopicName,
			}),
			flags: names,
			...(isEcho && {local_message_id: echo.localId}),
		};
	});
}
