// Archives and unarchives channels (service-facts.md 6.8).

import {badRequest} from '../errors.js';
import type {Services} from '../services.js';
import {type ChannelRow, subscriberIds} from './channels.js';
import {noticeArchiving} from './notices.js';
import {publishArchiving} from './publish.js';

export function archiveChannel(services: Services, channel: ChannelRow): void {
	if (channel.is_archived) {
		throw badRequest('Channel is already deactivated');
	}

	services.store.run('UPDATE channels SET is_archived = 1, is_default = 0 WHERE id = ?', channel.id);
	publishArchiving(services, channel.id);
	noticeArchiving(services, channel);
}

export function unarchiveChannel(services: Services, channel: ChannelRow): void {
	if (!channel.is_archived) {
		throw badRequest('Channel is not currently deactivated');
	}

	if (channel.invite_only && subscriberIds(services.store, channel.id).length === 0) {
		throw badRequest('Channel is private and have no subscribers');
	}

	services.store.run('UPDATE channels SET is_archived = 0 WHERE id = ?', channel.id);
	publishArchiving(services, channel.id);
}
