import {handler} from '../http/handler.js';
import {
	changeBot,
	checkNoGuest,
	createBot as create,
	findManagedBot,
	ownBots,
	regenerateKey,
} from '../people/own-bots.js';
import {presentOwnBot} from '../people/publish-bot.js';

export const getBots = handler('getBots', ({services: {store}, caller}) => {
	checkNoGuest(caller);
	const bots = ownBots(store, caller).map(bot => ({
		username: bot.email,
		user_id: bot.id,
		api_key: bot.api_key,
		...presentOwnBot(store, bot),
	}));

	return {bots};
});

export const createBot = handler('createBot', ({services, caller, parameters}) => {
	const bot = create(services, caller, parameters);
	const {full_name: _, ...presented} = presentOwnBot(services.store, bot);
	return {user_id: bot.id, api_key: bot.api_key, ...presented};
});

export const updateBot = handler('updateBot', ({services, caller, parameters}) => {
	const bot = findManagedBot(services.store, caller, parameters.bot_id);
	return presentOwnBot(services.store, changeBot(services, {caller, bot}, parameters));
});

export const regenerateBotApiKey = handler('regenerateBotApiKey', ({services, caller, parameters}) => ({
	api_key: regenerateKey(services, findManagedBot(services.store, caller, parameters.bot_id)),
}));
