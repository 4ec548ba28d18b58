import {handler} from '../http/handler.js';
import {findAccount} from '../people/accounts.js';
import {shownEmail} from '../people/addresses.js';
import {
	changeBot,
	checkNoGuest,
	createBot as create,
	findManagedBot,
	ownBots,
	regenerateKey,
} from '../people/bots/own-bots.js';
import {presentOwnBot} from '../people/bots/publish-bot.js';
import {retireBot} from '../people/deactivate.js';

export const getBots = handler('getBots', ({services: {store}, caller}) => {
	checkNoGuest(caller);
	const bots = ownBots(store, caller).map(bot => ({
		username: bot.email,
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
	const {store} = services;
	checkNoGuest(caller);
	const bot = changeBot(services, {caller, bot: findManagedBot(store, caller, parameters.bot_id)}, parameters);
	const owner = bot.bot_owner_id === null ? undefined : findAccount(store, bot.bot_owner_id);
	return {
		...presentOwnBot(store, bot),
		service_interface: parameters.service_interface,
		service_payload_url: parameters.service_payload_url ?? null,
		config_data: null,
		...(owner && {bot_owner: shownEmail(store, owner)}),
	};
});

export const deactivateBot = handler('deactivateBot', ({services, caller, parameters}) => {
	checkNoGuest(caller);
	retireBot(services, findManagedBot(services.store, caller, parameters.bot_id));
	return {};
});

export const regenerateBotApiKey = handler('regenerateBotApiKey', ({services, caller, parameters}) => {
	checkNoGuest(caller);
	return {api_key: regenerateKey(services, findManagedBot(services.store, caller, parameters.bot_id))};
});
