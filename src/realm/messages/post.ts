// A message that somebody wants to send.

import type {Account} from '../people/accounts.js';
import type {ChannelReference} from './recipients.js';

export type Destination =
	| {readonly kind: 'channel'; readonly channel: ChannelReference; readonly topic: string | undefined}
	| {readonly kind: 'direct'; readonly accounts: readonly Account[]};

export interface Post {
	readonly sender: Account;
	readonly client: string;
	readonly destination: Destination;
	readonly content: string;
	/** Absent: derived from the client's name. */
	readonly readBySender?: boolean | undefined;
	/** Event queue and local ID by which the sender's client recognizes the message. */
	readonly echo?: {readonly queueId: string; readonly localId: string} | undefined;
	readonly widgetContent?: string | undefined;
	/** The people who get the message as read. Default: at most the sender. */
	readonly isReadBy?: ((userId: number) => boolean) | undefined;
	/** A bot may answer its webhook even where it may not post over the API. */
	readonly bypassesAccess?: boolean;
}
