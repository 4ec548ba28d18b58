import {handler} from '../http/handler.js';
import {checkNoGuest, ownBots} from '../people/own-bots.js';
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
