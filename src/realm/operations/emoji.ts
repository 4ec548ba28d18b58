import {handler} from '../http/handler.js';
import {
	addCustomEmoji,
	deactivateCustomEmoji as deactivate,
	presentCustomEmoji,
} from '../reactions/change-custom-emoji.js';

export const getCustomEmoji = handler('getCustomEmoji', ({services: {store}}) => ({emoji: presentCustomEmoji(store)}));

export const uploadCustomEmoji = handler('uploadCustomEmoji', async ({services, caller, parameters}) => {
	await addCustomEmoji(services, caller, {name: parameters.emoji_name, file: parameters.file});
	return {};
});

export const deactivateCustomEmoji = handler('deactivateCustomEmoji', ({services, caller, parameters}) => {
	deactivate(services, caller, parameters.emoji_name);
	return {};
});
