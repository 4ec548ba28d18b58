// The address to which mail for a channel would go. The realm receives no mail.

import {createHash} from 'node:crypto';
import {organization} from '../organization.js';
import type {Store} from '../store/store.js';
import type {ChannelRow} from './channels.js';

/** Each person has an address of their own for each sender that the posted mail may show. */
export interface Mail {
	readonly creatorId: number;
	/** Absent: the service's own bot for mail. */
	readonly senderId: number | undefined;
}

const TOKEN_LENGTH = 32;

export function emailAddress(store: Store, {id, name}: ChannelRow, {creatorId, senderId}: Mail): string {
	const token = createHash('sha256').update(`${id} ${creatorId} ${senderId}`).digest('hex').slice(0, TOKEN_LENGTH);
	const parts = [slug(name), token, 'show-sender'].filter(part => part !== '');
	return `${parts.join('.')}@${organization(store).domain}`;
}

/** A name that is not written in ASCII is left out. */
function slug(name: string): string {
	const isAscii = /^[\x20-\x7e]*$/.test(name);
	return isAscii ? name.replaceAll(/\W+/g, '-').replaceAll(/^-+|-+$/g, '') : '';
}
