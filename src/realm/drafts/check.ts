// Checks a draft and prepares it for the store (service-facts.md 7.9).

import type {NewDraft} from '../../api/index.js';
import {mayReadChannel} from '../channels/access.js';
import {findChannel} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {cleanContent, cutTopic} from '../messages/text.js';
import {type Account, findAccount} from '../people/accounts.js';
import type {Services} from '../services.js';

type CheckedDraft = NewDraft & {readonly timestamp: number};

export function checkDraft({store, clock}: Services, owner: Account, draft: NewDraft): CheckedDraft {
	const content = cleanContent(draft.content);
	const timestamp = draft.timestamp ?? clock.now() / 1000;
	if (timestamp < 0) {
		throw badRequest('Timestamp must not be negative.');
	}

	return {content, timestamp, ...checkAddress()};

	function checkAddress(): Pick<CheckedDraft, 'type' | 'to' | 'topic'> {
		if (draft.type === 'stream') {
			return {type: 'stream', ...checkChannel()};
		}

		return draft.type === 'private' && draft.to.length > 0
			? {type: 'private', to: checkPeople(), topic: ''}
			: {type: '', to: [], topic: ''};
	}

	function checkChannel(): Pick<CheckedDraft, 'to' | 'topic'> {
		if (draft.topic.includes('\0')) {
			throw badRequest('Topic must not contain null bytes');
		}

		const [id, ...others] = draft.to;
		if (id === undefined || others.length > 0) {
			throw badRequest('Must specify exactly 1 channel ID for channel messages');
		}

		const channel = findChannel(store, id);
		if (!channel || channel.is_archived || !mayReadChannel(store, owner, channel)) {
			throw badRequest('Invalid channel ID');
		}

		return {to: [id], topic: cutTopic(draft.topic)};
	}

	/** Contains the owner only for a message to themselves. */
	function checkPeople(): number[] {
		const ids = [...new Set(draft.to)].toSorted((a, b) => a - b);
		for (const id of ids) {
			if (!findAccount(store, id)) {
				throw badRequest(`Invalid user ID ${id}`);
			}
		}

		const others = ids.filter(id => id !== owner.id);
		return others.length > 0 ? others : ids;
	}
}
