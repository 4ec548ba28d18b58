import type {Client} from '../../client/client.js';
import type {Target} from '../../delivery/target.js';

/** Shows the account as typing in the conversation of a message, for some seconds. */
export async function showTyping(client: Client, here: Target): Promise<void> {
	await client.setTypingStatus({
		op: 'start',
		// The service names the conversation of a message by IDs.
		...('dm' in here
			? {type: 'direct', to: here.dm as number[]}
			: {type: 'stream', stream_id: here.channel as number, topic: here.topic}),
	});
}
