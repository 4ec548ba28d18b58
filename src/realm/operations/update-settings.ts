import {forgetDrafts} from '../drafts/drafts.js';
import {handler} from '../http/handler.js';
import type {Account} from '../people/accounts.js';
import {readSetting, type Settings, writeSetting} from '../people/settings.js';
import type {Services} from '../services.js';

export const updateSettings = handler('updateSettings', ({services, caller, parameters}) => {
	services.store.transaction(() => {
		for (const [name, value] of Object.entries(parameters)) {
			if (value !== undefined) {
				// The table's parameters are the settings.
				change(services, caller, {name: name as keyof Settings, value});
			}
		}
	});

	return {};
});

function change(
	{store, queues}: Services,
	caller: Account,
	{name, value}: {name: keyof Settings; value: Settings[keyof Settings]},
): void {
	if (value === readSetting(store, caller, name)) {
		return;
	}

	writeSetting(store, caller, {name, value});
	if (name === 'enable_drafts_synchronization' && !value) {
		forgetDrafts(store, caller);
	}

	store.afterCommit(() => queues.publishTo(caller.id, {type: 'user_settings', op: 'update', property: name, value}));
}
