import {handler} from '../http/handler.js';
import {readPresences} from '../people/presence.js';

export const getRealmPresence = handler('getRealmPresence', ({services}) => ({
	presences: readPresences(services, {isModern: false}).presences,
	server_timestamp: services.clock.now() / 1000,
}));
