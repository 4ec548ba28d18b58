import {handler} from '../http/handler.js';
import {findManagedBot, regenerateKey} from '../people/own-bots.js';

export const regenerateBotApiKey = handler('regenerateBotApiKey', ({services, caller, parameters}) => ({
	api_key: regenerateKey(services, findManagedBot(services.store, caller, parameters.bot_id)),
}));
