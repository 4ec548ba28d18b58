import {RealmError} from '../errors.js';
import {handler} from '../http/handler.js';
import {tellOwner} from '../messages/owner-notice.js';
import type {Destination} from '../messages/post.js';
import {readChannelReference, readDirectRecipients, readKind} from '../messages/recipients.js';
import {sendMessage as send} from '../messages/send.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';

export const sendMessage = handler(
	'sendMessage',
	({services, caller, parameters, client}) => {
		const {type, to, topic, queue_id: queueId, local_id: localId} = parameters;
		const destination: Destination =
			readKind(services, type) === 'direct'
				? {kind: 'direct', accounts: readDirectRecipients(services.store, to)}
				: {kind: 'channel', channel: readChannelReference(to), topic};
		const id = tellingOwner({services, caller, destination}, () =>
			send(services, {
				sender: caller,
				client,
				destination,
				content: parameters.content,
				readBySender: parameters.read_by_sender,
				echo: queueId !== undefined && localId !== undefined ? {queueId, localId} : undefined,
				widgetContent: parameters.widget_content,
			}),
		);

		return {id};
	},
	['to'],
);

/** A bot's owner learns when the bot writes where there is nobody. */
function tellingOwner(
	{services, caller, destination}: {services: Services; caller: Account; destination: Destination},
	attempt: () => number,
): number {
	const isToChannel = destination.kind === 'channel';
	try {
		const id = attempt();
		if (isToChannel) {
			tellOwner(services, caller, destination.channel);
		}

		return id;
	} catch (error) {
		if (isToChannel && error instanceof RealmError && error.code === 'STREAM_DOES_NOT_EXIST') {
			tellOwner(services, caller, destination.channel);
		}

		throw error;
	}
}
