import {findChannelByName} from '../channels/channels.js';
import {insertChannel} from '../channels/create.js';
import {checkChannelName, cleanDescription} from '../channels/name.js';
import {announceChannel} from '../channels/notices.js';
import {findPrincipals} from '../channels/principals.js';
import {addSubscribers} from '../channels/subscribers.js';
import {RealmError} from '../errors.js';
import {handler} from '../http/handler.js';

export const createChannel = handler('createChannel', ({services, caller, parameters}) => {
	const {store} = services;
	return store.transaction(() => {
		const people = findPrincipals(store, parameters.subscribers);
		const name = checkChannelName(parameters.name);
		if (findChannelByName(store, name)) {
			throw new RealmError(`Channel '${name}' already exists`, 'CHANNEL_ALREADY_EXISTS', 409, {channel_name: name});
		}

		const description = cleanDescription(parameters.description);
		const id = insertChannel(services, caller, {...parameters, name, description});
		addSubscribers(services, {id}, people, new Set());
		if (parameters.announce) {
			announceChannel(services, caller, name);
		}

		return {id};
	});
});
