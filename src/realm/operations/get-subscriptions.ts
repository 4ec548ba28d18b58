import {ownSubscriptions} from '../events/state.js';
import {handler} from '../http/handler.js';

export const getSubscriptions = handler('getSubscriptions', ({services, caller, parameters}) => ({
	subscriptions: ownSubscriptions(services, {
		caller,
		includeSubscribers: parameters.include_subscribers,
		archivedChannels: false,
	}),
}));
