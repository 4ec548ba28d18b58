import {channelToAdminister} from '../channels/access.js';
import {archiveChannel} from '../channels/archive.js';
import {handler} from '../http/handler.js';

export const archiveStream = handler('archiveStream', ({services, caller, parameters}) => {
	services.store.transaction(() => {
		archiveChannel(services, channelToAdminister(services.store, caller, parameters.stream_id));
	});

	return {};
});
