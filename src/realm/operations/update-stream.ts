import {channelToAdminister} from '../channels/access.js';
import {unarchiveChannel} from '../channels/archive.js';
import {
	changeDefault,
	changePrivacy,
	changeRetention,
	changeSettings,
	changeTexts,
	changeTopicsPolicy,
} from '../channels/update.js';
import {handler} from '../http/handler.js';

export const updateStream = handler('updateStream', ({services, caller, parameters}) => {
	services.store.transaction(() => {
		const channel = channelToAdminister(services.store, caller, parameters.stream_id);
		const request = {caller, channel, changes: parameters};
		changePrivacy(services, request);
		changeDefault(services, request);
		changeRetention(services, request);
		if (parameters.is_archived === false) {
			unarchiveChannel(services, channel);
		}

		changeTopicsPolicy(services, request);
		changeTexts(services, request);
		changeSettings(services, request);
	});

	return {};
});
