import {badRequest, incompatible, RealmError} from '../../errors.js';
import {handler} from '../../http/handler.js';
import {renderMarkdown} from '../../markdown/markdown.js';
import {deleteMessage as remove} from '../../messages/delete.js';
import {editMessage} from '../../messages/edits/edit.js';
import {editsOf, snapshots} from '../../messages/edits/edit-history.js';
import {channelToRead, inChannel, markAsRead, readerIds} from '../../messages/mark-read.js';
import {checkCount, readAnchor, selectAround} from '../../messages/narrow/around.js';
import {narrowConditions, readTerms, searchedWords} from '../../messages/narrow/narrow.js';
import type {NarrowTerm} from '../../messages/narrow/narrow-terms.js';
import {presentMatches} from '../../messages/narrow/search.js';
import {tellOwner} from '../../messages/owner-notice.js';
import type {Destination} from '../../messages/post.js';
import {type Presentation, presentForReader} from '../../messages/present.js';
import {
	type ChannelReference,
	readChannelReference,
	readDirectRecipients,
	readKind,
} from '../../messages/recipients.js';
import {findReadable, type MessageRow, selectMessages} from '../../messages/rows.js';
import {postMessage} from '../../messages/send.js';
import {readNamedTopic, topicKey} from '../../messages/text.js';
import {presentIgnored, updateFlags} from '../../messages/update-flags.js';
import {type Account, visitor} from '../../people/accounts.js';
import type {Services} from '../../services.js';
import type {Store} from '../../store/store.js';

const FIRST_LEVEL_THAT_TELLS_POLICY = 218;

export const sendMessage = handler(
	'sendMessage',
	({services, caller, parameters, client}) => {
		const {type, to, topic, queue_id: queueId, local_id: localId} = parameters;
		refuseMirror(parameters);
		const destination: Destination =
			readKind(type) === 'direct'
				? {kind: 'direct', accounts: readDirectRecipients(services.store, to)}
				: {kind: 'channel', channel: readChannel(caller, to), topic};
		const {id, newPolicy} = tellingOwner({services, caller, destination}, () =>
			postMessage(services, {
				sender: caller,
				client,
				destination,
				content: parameters.content,
				readBySender: parameters.read_by_sender,
				echo: queueId !== undefined && localId !== undefined ? {queueId, localId} : undefined,
				widgetContent: parameters.widget_content,
			}),
		);

		const isTold = newPolicy !== undefined && services.featureLevel >= FIRST_LEVEL_THAT_TELLS_POLICY;
		return {id, ...(isTold && {automatic_new_visibility_policy: newPolicy})};
	},
	['to'],
	['to'],
);

/** The realm does not support mirrored messages. */
function refuseMirror({sender, forged}: {readonly sender: string | undefined; readonly forged: string | undefined}) {
	if (forged === 'yes' || forged === 'true') {
		throw badRequest('User not authorized for this query');
	}

	if (sender !== undefined) {
		throw badRequest('Invalid mirrored message');
	}
}

/** A bot may have a default channel for messages without a target. */
function readChannel({default_sending_channel_id: id}: Account, to: string | undefined): ChannelReference {
	return to === undefined && id !== null ? {id} : readChannelReference(to);
}

/** Notifies a bot's owner if the bot writes into a channel that does not exist or that nobody reads. */
function tellingOwner<Sent>(
	{services, caller, destination}: {services: Services; caller: Account; destination: Destination},
	attempt: () => Sent,
): Sent {
	const isToChannel = destination.kind === 'channel';
	try {
		const sent = attempt();
		if (isToChannel) {
			tellOwner(services, caller, destination.channel);
		}

		return sent;
	} catch (error) {
		if (isToChannel && error instanceof RealmError && error.code === 'STREAM_DOES_NOT_EXIST') {
			tellOwner(services, caller, destination.channel);
		}

		throw error;
	}
}

export const getMessage = handler('getMessage', ({services: {store}, caller, parameters}) => {
	const row = findReadable(store, caller ?? visitor, parameters.message_id);
	const message = presentForReader(store, row, {
		applyMarkdown: parameters.apply_markdown,
		allowEmptyTopicName: parameters.allow_empty_topic_name,
		clientGravatar: true,
		withoutLogin: !caller,
	});

	return {message, raw_content: row.content};
});

export const getMessages = handler(
	'getMessages',
	({services: {store}, caller, parameters}) => {
		const reader = caller ?? visitor;
		const how: Presentation = {
			applyMarkdown: parameters.apply_markdown,
			allowEmptyTopicName: parameters.allow_empty_topic_name,
			clientGravatar: parameters.client_gravatar,
			withoutLogin: !caller,
		};
		const terms = readTerms(parameters.narrow ?? []);
		const words = searchedWords(terms);
		const present = (row: MessageRow) => ({
			...presentForReader(store, row, how),
			...(words.length > 0 && presentMatches(row, words, how)),
		});
		const {message_ids: ids, num_before, num_after} = parameters;
		const anchor = parameters.use_first_unread_anchor ? 'first_unread' : parameters.anchor;
		if (ids) {
			if (anchor !== undefined || num_before > 0 || num_after > 0) {
				throw incompatible([
					'num_before',
					'num_after',
					'anchor',
					'message_ids',
					'include_anchor',
					'use_first_unread_anchor',
				]);
			}

			return {
				messages: selectById(store, reader, {ids, terms}).map(present),
				found_anchor: false,
				found_oldest: false,
				found_newest: false,
				history_limited: false,
			};
		}

		if (anchor === undefined) {
			throw badRequest("Missing 'anchor' argument.");
		}

		readAnchor(anchor);
		checkCount(num_before + num_after);
		const {rows, ...found} = selectAround(store, reader, {...parameters, anchor});
		return {messages: rows.map(present), ...found, history_limited: false};
	},
	['anchor'],
);

/** Without a narrow, all messages that the reader may read. */
function selectById(
	store: Store,
	reader: Account,
	{ids, terms}: {ids: readonly number[]; terms: readonly NarrowTerm[]},
): MessageRow[] {
	checkCount(ids.length);
	const marks = ids.map(() => '?').join(', ');
	const narrow = terms.length > 0 ? narrowConditions(store, reader, terms) : [];
	const conditions = [...narrow, {sql: `m.id IN (${marks})`, values: ids}];
	return selectMessages(store, reader, {conditions, limit: ids.length});
}

const FIRST_LEVEL_THAT_TELLS_UPLOADS = 285;

export const updateMessage = handler('updateMessage', ({services, caller, parameters}) => {
	const detached = editMessage(services, {
		editor: caller,
		messageId: parameters.message_id,
		content: parameters.content,
		topic: parameters.topic,
		channelId: parameters.stream_id,
		mode: parameters.propagate_mode,
		noticeInOldPlace: parameters.send_notification_to_old_thread,
		noticeInNewPlace: parameters.send_notification_to_new_thread,
		expectedSha256: parameters.prev_content_sha256,
	});

	return services.featureLevel >= FIRST_LEVEL_THAT_TELLS_UPLOADS ? {detached_uploads: detached} : {};
});

export const deleteMessage = handler('deleteMessage', ({services, caller, parameters}) => {
	remove(services, caller, parameters.message_id);
	return {};
});

export const getMessageHistory = handler('getMessageHistory', ({services: {store}, caller, parameters}) => {
	const row = findReadable(store, caller, parameters.message_id);
	const how = {allowEmptyTopicName: parameters.allow_empty_topic_name};
	return {message_history: snapshots(row, editsOf(store, row.id), how)};
});

export const renderMessage = handler('renderMessage', ({services: {store}, parameters}) => ({
	rendered: renderMarkdown(store, parameters.content).html,
}));

export const updateMessageFlags = handler(
	'updateMessageFlags',
	({services, caller, parameters}) => {
		const {messages, op, flag} = parameters;
		const {ignoredChannelIds} = updateFlags(services, caller, {messageIds: messages, op, flag});

		return {messages, ...presentIgnored(services, ignoredChannelIds)};
	},
	['op'],
);

export const updateMessageFlagsForNarrow = handler(
	'updateMessageFlagsForNarrow',
	({services, caller, parameters}) => {
		const {anchor = '', op, flag} = parameters;
		const {rows, found_oldest, found_newest} = selectAround(services.store, caller, {...parameters, anchor});
		const ids = rows.map(({id}) => id);
		const {updatedCount, ignoredChannelIds} = updateFlags(services, caller, {messageIds: ids, op, flag});

		return {
			processed_count: ids.length,
			updated_count: updatedCount,
			first_processed_id: ids[0] ?? null,
			last_processed_id: ids.at(-1) ?? null,
			found_oldest,
			found_newest,
			...presentIgnored(services, ignoredChannelIds),
		};
	},
	['anchor', 'op'],
);

export const markAllAsRead = handler('markAllAsRead', ({services, caller}) => {
	markAsRead(services, caller, {conditions: [], isAll: true});
	return services.featureLevel < FIRST_LEVEL_THAT_SAYS_COMPLETE ? {} : {complete: true};
});

const FIRST_LEVEL_THAT_SAYS_COMPLETE = 153;

export const markStreamAsRead = handler('markStreamAsRead', ({services, caller, parameters}) => {
	const channel = channelToRead(services.store, caller, parameters.stream_id);
	markAsRead(services, caller, {conditions: [inChannel(channel)]});
	return {};
});

export const markTopicAsRead = handler('markTopicAsRead', ({services, caller, parameters}) => {
	const {store} = services;
	const channel = channelToRead(store, caller, parameters.stream_id);
	const topic = readNamedTopic(parameters.topic_name, services);
	const conditions = [inChannel(channel), {sql: 'm.topic_key = ?', values: [topicKey(topic)]}];
	if (topic !== '' && selectMessages(store, caller, {conditions, limit: 1}).length === 0) {
		throw badRequest(`No such topic '${topic}'`);
	}

	markAsRead(services, caller, {conditions});
	return {};
});

export const checkMessagesMatchNarrow = handler('checkMessagesMatchNarrow', ({services, caller, parameters}) => {
	const {store} = services;
	const terms = readTerms(parameters.narrow ?? []);
	const words = searchedWords(terms);
	const rows = selectById(store, caller, {ids: parameters.msg_ids, terms});
	const matchOf = (row: MessageRow) => presentMatches(row, words, {allowEmptyTopicName: false});
	return {messages: Object.fromEntries(rows.map(row => [row.id, matchOf(row)]))};
});

export const getReadReceipts = handler('getReadReceipts', ({services: {store}, caller, parameters}) => {
	const message = findReadable(store, caller, parameters.message_id);
	return {user_ids: readerIds(store, message)};
});
