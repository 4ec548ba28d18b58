import {handler} from '../http/handler.js';
import {changeBot, findManagedBot} from '../people/own-bots.js';
import {presentOwnBot} from '../people/publish-bot.js';

export const updateBot = handler('updateBot', ({services, caller, parameters}) => {
	const bot = findManagedBot(services.store, caller, parameters.bot_id);
	return presentOwnBot(services.store, changeBot(services, {caller, bot}, parameters));
});
