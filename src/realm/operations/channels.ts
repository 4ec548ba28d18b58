import {
	channelToAdminister,
	channelToArchive,
	checkMayPost,
	mayReadChannel,
	maySeeChannel,
} from '../channels/access.js';
import {archiveChannel, unarchiveChannel} from '../channels/archive.js';
import {
	type ChannelRow,
	findChannel,
	findChannelByName,
	isSubscribed,
	listChannels,
	subscriberIds,
} from '../channels/channels.js';
import {insertChannel} from '../channels/create.js';
import {emailAddress} from '../channels/email-address.js';
import {checkChannelName, cleanDescription} from '../channels/name.js';
import {announceChannel, noticeCreation} from '../channels/notices.js';
import {presentChannel} from '../channels/present.js';
import {findPrincipals} from '../channels/principals.js';
import {addSubscribers} from '../channels/subscribers.js';
import {
	changeDefault,
	changePrivacy,
	changeRetention,
	changeSettings,
	changeTexts,
	changeTopicsPolicy,
	setDefault,
} from '../channels/update.js';
import {badRequest, RealmError} from '../errors.js';
import {handler} from '../http/handler.js';
import {removeTopic} from '../messages/delete.js';
import {channelToRead} from '../messages/mark-read.js';
import {presentTopic} from '../messages/present.js';
import {selectTopics} from '../messages/rows.js';
import {readNamedTopic} from '../messages/text.js';
import {isAdministrator, isGuest} from '../people/accounts.js';
import {findManagedBot} from '../people/bots/own-bots.js';

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

/** Before this level, the empty topic stayed empty here. */
const FIRST_LEVEL_THAT_NAMES_EMPTY_TOPIC = 340;

export const getStreamTopics = handler('getStreamTopics', ({services: {store, featureLevel}, caller, parameters}) => {
	const channel = findChannel(store, parameters.stream_id);
	if (!channel || channel.is_archived || !mayReadChannel(store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	const topics = selectTopics(store, caller, channel.id);
	const allowEmptyTopicName = parameters.allow_empty_topic_name || featureLevel < FIRST_LEVEL_THAT_NAMES_EMPTY_TOPIC;

	return {
		topics: topics.map(row => ({
			name: presentTopic(row, {allowEmptyTopicName}),
			max_id: row.max_id,
		})),
	};
});

export const getStreamId = handler('getStreamId', ({services: {store}, caller, parameters}) => {
	const channel = findChannelByName(store, parameters.stream);
	if (!channel || channel.is_archived || !mayReadChannel(store, caller, channel)) {
		throw badRequest(`Invalid channel name '${parameters.stream}'`);
	}

	return {stream_id: channel.id};
});

export const getStreamById = handler('getStreamById', ({services, caller, parameters}) => {
	const channel = findChannel(services.store, parameters.stream_id);
	if (!channel || channel.is_archived || !maySeeChannel(services.store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	return {stream: presentChannel(services, channel)};
});

export const getSubscribers = handler('getSubscribers', ({services: {store}, caller, parameters}) => {
	const channel = findChannel(store, parameters.stream_id);
	if (!channel || channel.is_archived || !maySeeChannel(store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	return {subscribers: subscriberIds(store, channel.id)};
});

/** Until then everybody who saw the channel got its address. */
const FIRST_LEVEL_THAT_ASKS_WHO_MAY_POST = 448;

export const getStreamEmailAddress = handler('getStreamEmailAddress', ({services, caller, parameters}) => {
	const {store, featureLevel} = services;
	const {stream_id, sender_id: senderId} = parameters;
	const channel = findChannel(store, stream_id);
	if (!channel || channel.is_archived || !maySeeChannel(store, caller, channel)) {
		throw badRequest('Invalid channel ID');
	}

	if (featureLevel >= FIRST_LEVEL_THAT_ASKS_WHO_MAY_POST) {
		checkMayPost(store, caller, channel);
	}

	if (senderId !== undefined && senderId !== caller.id) {
		findManagedBot(store, caller, senderId);
	}

	return {email: emailAddress(store, channel, {creatorId: caller.id, senderId})};
});

export const createChannel = handler('createChannel', ({services, caller, parameters}) => {
	const {store} = services;
	return store.transaction(() => {
		const people = findPrincipals(store, parameters.subscribers);
		const name = checkChannelName(parameters.name);
		if (findChannelByName(store, name)) {
			throw new RealmError(`Channel '${name}' already exists`, 'CHANNEL_ALREADY_EXISTS', 409, {channel_name: name});
		}

		const description = cleanDescription(parameters.description);
		const id = insertChannel(services, caller, {...parameters, name, description});
		addSubscribers(services, {id}, people, new Set());
		const channel = findChannel(store, id);
		if (channel) {
			noticeCreation(services, caller, channel);
		}

		if (parameters.announce) {
			announceChannel(services, caller, name);
		}

		return {id};
	});
});

export const updateStream = handler('updateStream', ({services, caller, parameters}) => {
	services.store.transaction(() => {
		const channel = channelToAdminister(services.store, caller, parameters.stream_id);
		const request = {caller, channel, changes: parameters};
		changePrivacy(services, request);
		changeDefault(services, request);
		changeRetention(services, request);
		if (parameters.is_archived === false) {
			unarchiveChannel(services, channel);
		}

		changeTopicsPolicy(services, request);
		changeTexts(services, request);
		changeSettings(services, request);
	});

	return {};
});

export const archiveStream = handler('archiveStream', ({services, caller, parameters}) => {
	services.store.transaction(() => {
		archiveChannel(services, channelToArchive(services.store, caller, parameters.stream_id));
	});

	return {};
});

export const deleteTopic = handler('deleteTopic', ({services, caller, parameters}) => {
	removeTopic(services, caller, {
		channelId: parameters.stream_id,
		topic: readNamedTopic(parameters.topic_name, services),
	});
	return services.featureLevel < FIRST_LEVEL_THAT_SAYS_COMPLETE ? {} : {complete: true};
});

const FIRST_LEVEL_THAT_SAYS_COMPLETE = 154;

export const addDefaultStream = handler('addDefaultStream', ({services, caller, parameters}) => {
	const channel = channelToRead(services.store, caller, parameters.stream_id);
	if (channel.invite_only) {
		throw badRequest('Private channels cannot be made default.');
	}

	setDefault(services, channel, true);
	return {};
});

export const removeDefaultStream = handler('removeDefaultStream', ({services, caller, parameters}) => {
	setDefault(services, channelToRead(services.store, caller, parameters.stream_id), false);
	return {};
});
