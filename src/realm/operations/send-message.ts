import {RealmError} from '../errors.js';
import {handler} from '../http/handler.js';
import {tellOwner} from '../messages/owner-notice.js';
import type {Destination} from '../messages/post.js';
import {type ChannelReference, readChannelReference, readDirectRecipients, readKind} from '../messages/recipients.js';
import {postMessage} from '../messages/send.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';

const FIRST_LEVEL_THAT_TELLS_POLICY = 218;

export const sendMessage = handler(
	'sendMessage',
	({services, caller, parameters, client}) => {
		const {type, to, topic, queue_id: queueId, local_id: localId} = parameters;
		const destination: Destination =
			readKind(type) === 'direct'
				? {kind: 'direct', accounts: readDirectRecipients(services.store, to)}
				: {kind: 'channel', channel: readChannel(caller, to), topic};
		const {id, newPolicy} = tellingOwner({services, caller, destination}, () =>
			postMessage(services, {
				sender: caller,
				client,
				destination,
				content: parameters.content,
				readBySender: parameters.read_by_sender,
				echo: queueId !== undefined && localId !== undefined ? {queueId, localId} : undefined,
				widgetContent: parameters.widget_content,
			}),
		);

		const isTold = newPolicy !== undefined && services.featureLevel >= FIRST_LEVEL_THAT_TELLS_POLICY;
		return {id, ...(isTold && {automatic_new_visibility_policy: newPolicy})};
	},
	['to'],
);

/** A bot may have a channel for what it addresses to none. */
function readChannel({default_sending_channel_id: id}: Account, to: string | undefined): ChannelReference {
	return to === undefined && id !== null ? {id} : readChannelReference(to);
}

/** A bot's owner learns when the bot writes where there is nobody. */
function tellingOwner<Sent>(
	{services, caller, destination}: {services: Services; caller: Account; destination: Destination},
	attempt: () => Sent,
): Sent {
	const isToChannel = destination.kind === 'channel';
	try {
		const sent = attempt();
		if (isToChannel) {
			tellOwner(services, caller, destination.channel);
		}

		return sent;
	} catch (error) {
		if (isToChannel && error instanceof RealmError && error.code === 'STREAM_DOES_NOT_EXIST') {
			tellOwner(services, caller, destination.channel);
		}

		throw error;
	}
}
