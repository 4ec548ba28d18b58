import {handler} from '../http/handler.js';
import {createBot as create} from '../people/own-bots.js';
import {presentOwnBot} from '../people/publish-bot.js';

export const createBot = handler('createBot', ({services, caller, parameters}) => {
	const bot = create(services, caller, parameters);
	const {full_name: _, ...presented} = presentOwnBot(services.store, bot);
	return {user_id: bot.id, api_key: bot.api_key, ...presented};
});
