import {mayReadChannel, maySeeChannel} from '../channels/access.js';
import {type ChannelRow, isSubscribed, listChannels} from '../channels/channels.js';
import {presentChannel} from '../channels/present.js';
import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {isAdministrator, isGuest} from '../people/accounts.js';

export const getStreams = handler('getStreams', ({services, caller, parameters}) => {
	const {store} = services;
	if (parameters.include_all_active && !isAdministrator(caller)) {
		throw badRequest('User not authorized for this query');
	}

	const ownerId = caller.bot_owner_id;
	const isWanted = (channel: ChannelRow) =>
		(parameters.include_public && !channel.invite_only && !isGuest(caller)) ||
		(parameters.include_web_public && channel.is_web_public) ||
		(parameters.include_subscribed && isSubscribed(store, caller.id, channel.id)) ||
		(parameters.include_owner_subscribed && ownerId !== null && isSubscribed(store, ownerId, channel.id)) ||
		(parameters.include_default && channel.is_default && maySeeChannel(store, caller, channel)) ||
		(parameters.include_can_access_content && mayReadChannel(store, caller, channel)) ||
		((parameters.include_all || parameters.include_all_active) && maySeeChannel(store, caller, channel));
	const channels = listChannels(store)
		.filter(channel => !(parameters.exclude_archived && channel.is_archived))
		.filter(isWanted);

	return {
		streams: channels.map(channel => ({
			...presentChannel(services, channel),
			...(parameters.include_default && {is_default: channel.is_default === 1}),
		})),
	};
});
