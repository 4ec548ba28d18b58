import {findChannel} from '../channels/channels.js';
import {badRequest} from '../errors.js';
import {messageFilter} from '../events/message-filter.js';
import {initialState} from '../events/state.js';
import {handler} from '../http/handler.js';
import {isGuest} from '../people/accounts.js';

export const register = handler('register', ({services, caller, parameters}) => {
	const allPublicStreams = parameters.all_public_streams ?? caller.default_all_public_streams === 1;
	if (allPublicStreams && isGuest(caller)) {
		throw badRequest('User not authorized for this query');
	}

	const channelId = caller.default_events_register_channel_id;
	const channel = channelId === null ? undefined : findChannel(services.store, channelId);
	const narrow =
		parameters.narrow.length === 0 && channel ? [['channel', channel.name] as [string, string]] : parameters.narrow;
	const deactivatedGroups = parameters.client_capabilities?.include_deactivated_groups ?? false;
	const archivedChannels = parameters.client_capabilities?.archived_channels ?? false;
	const queueId = services.queues.open({
		userId: caller.id,
		eventTypes: parameters.event_types,
		lifespanSeconds: parameters.queue_lifespan_secs,
		applyMarkdown: parameters.apply_markdown,
		clientGravatar: parameters.client_gravatar,
		allPublicStreams,
		bulkDeletion: parameters.client_capabilities?.bulk_message_deletion ?? false,
		emptyTopicName: parameters.client_capabilities?.empty_topic_name ?? false,
		streamTyping: parameters.client_capabilities?.stream_typing_notifications ?? false,
		slimPresence: parameters.slim_presence,
		simplifiedPresence: parameters.client_capabilities?.simplified_presence_events ?? false,
		deactivatedGroups,
		archivedChannels,
		narrow,
		accepts: messageFilter(services.store, caller, narrow),
	});
	const state = initialState(services, {
		caller,
		types: parameters.fetch_event_types ?? parameters.event_types,
		clientGravatar: parameters.client_gravatar,
		allowEmptyTopicName: parameters.client_capabilities?.empty_topic_name ?? false,
		includeSubscribers: parameters.include_subscribers !== false,
		slimPresence: parameters.slim_presence,
		presenceHistoryDays: parameters.presence_history_limit_days,
		deactivatedGroups,
		archivedChannels,
		settingsNull: parameters.client_capabilities?.notification_settings_null ?? false,
		settingsObject: parameters.client_capabilities?.user_settings_object ?? false,
		linkifierTemplates: parameters.client_capabilities?.linkifier_url_template ?? false,
	});

	return {
		...state,
		queue_id: queueId,
		last_event_id: -1,
		zulip_version: services.version,
		zulip_feature_level: services.featureLevel,
		zulip_merge_base: services.version,
	};
});

export const getEvents = handler(
	'getEvents',
	async ({services, caller, parameters, gone}) => {
		const events = await services.queues.poll({
			queueId: given('queue_id', parameters.queue_id),
			userId: caller.id,
			lastEventId: readId(given('last_event_id', parameters.last_event_id)),
			dontBlock: parameters.dont_block,
			gone,
		});

		return {events};
	},
	['queue_id', 'last_event_id'],
	['queue_id', 'last_event_id'],
);

/** The service's event server is a separate program whose error has no `var_name`. */
function given(name: string, value: string | undefined): string {
	if (value === undefined) {
		throw badRequest(`Missing '${name}' argument`);
	}

	return value;
}

function readId(text: string): number {
	let id: unknown;
	try {
		id = JSON.parse(text);
	} catch {
		throw badRequest('last_event_id is not valid JSON');
	}

	if (!Number.isInteger(id)) {
		throw badRequest('last_event_id is not an integer');
	}

	// Checked in the line above.
	return id as number;
}

export const deleteQueue = handler('deleteQueue', ({services, caller, parameters}) => {
	services.queues.remove(parameters.queue_id, caller.id);
	return {};
});
