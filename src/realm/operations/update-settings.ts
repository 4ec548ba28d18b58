import {forgetDrafts} from '../drafts/drafts.js';
import {handler} from '../http/handler.js';
import {readSetting, writeSetting} from '../people/settings.js';

export const updateSettings = handler('updateSettings', ({services: {store, queues}, caller, parameters}) => {
	const name = 'enable_drafts_synchronization';
	const value = parameters[name];
	if (value === undefined || value === readSetting(store, caller, name)) {
		return {};
	}

	store.transaction(() => {
		writeSetting(store, caller, {name, value});
		if (!value) {
			forgetDrafts(store, caller);
		}
	});
	queues.publishTo(caller.id, {type: 'user_settings', op: 'update', property: name, value});
	return {};
});
