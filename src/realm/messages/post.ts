// What somebody wants to say, and where.

import type {Account} from '../people/accounts.js';
import type {ChannelReference} from './recipients.js';

export type Destination =
	| {readonly kind: 'channel'; readonly channel: ChannelReference; readonly topic: string | undefined}
	| {readonly kind: 'direct'; readonly accounts: readonly Account[]};

/** Somebody wants to say something. */
export interface Post {
	readonly sender: Account;
	readonly client: string;
	readonly destination: Destination;
	readonly content: string;
	/** Absent: decided by the client's name. */
	readonly readBySender?: boolean | undefined;
	/** Event queue and name under which the sender's client knows this message already. */
	readonly echo?: {readonly queueId: string; readonly localId: string} | undefined;
	readonly widgetContent?: string | undefined;
	/** Who need not read it any more. Absent: the sender at most. */
	readonly isReadBy?: ((userId: number) => boolean) | undefined;
	/** A webhook's answer may be posted where its bot may not post over REST. */
	readonly bypassesAccess?: boolean;
}
