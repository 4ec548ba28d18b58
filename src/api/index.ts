// Every operation that the client calls and the realm serves, in one table.

import {addAlertWords, getAlertWords, removeAlertWords} from './alert-words.js';
import {getStorage, removeStorage, updateStorage} from './bot-storage.js';
import {createBot, deactivateBot, getBots, regenerateBotApiKey, updateBot} from './bots.js';
import {
	addDefaultStream,
	archiveStream,
	createChannel,
	deleteTopic,
	getStreamById,
	getStreamEmailAddress,
	getStreamId,
	getStreams,
	getStreamTopics,
	getSubscribers,
	removeDefaultStream,
	updateStream,
} from './channels.js';
import {createDrafts, deleteDraft, editDraft, getDrafts} from './drafts.js';
import {deactivateCustomEmoji, getCustomEmoji, uploadCustomEmoji} from './emoji.js';
import {deleteQueue, getEvents, register} from './events.js';
import {
	createInviteLink,
	getInvites,
	resendEmailInvite,
	revokeEmailInvite,
	revokeInviteLink,
	sendInvites,
} from './invites.js';
import {addLinkifier, getLinkifiers, removeLinkifier, reorderLinkifiers, updateLinkifier} from './linkifiers.js';
import {
	checkMessagesMatchNarrow,
	deleteMessage,
	getMessage,
	getMessageHistory,
	getMessages,
	getReadReceipts,
	markAllAsRead,
	markStreamAsRead,
	markTopicAsRead,
	renderMessage,
	sendMessage,
	updateMessage,
	updateMessageFlags,
	updateMessageFlagsForNarrow,
} from './messages.js';
import {addPlayground, removePlayground} from './playgrounds.js';
import {getRealmPresence, getUserPresence, updatePresence} from './presence.js';
import {
	createProfileField,
	deleteProfileField,
	getProfileFields,
	removeProfileData,
	reorderProfileFields,
	updateProfileData,
	updateProfileField,
} from './profile-fields.js';
import {addApnsToken, addFcmToken, removeApnsToken, removeFcmToken} from './push-tokens.js';
import {addReaction, removeReaction} from './reactions.js';
import {createSavedSnippet, deleteSavedSnippet, editSavedSnippet, getSavedSnippets} from './saved-snippets.js';
import {
	createScheduledMessage,
	deleteScheduledMessage,
	getScheduledMessages,
	updateScheduledMessage,
} from './scheduled-messages.js';
import {devFetchApiKey, devListUsers, fetchApiKey, getServerSettings} from './server.js';
import {updateNotificationSettings, updateRealmUserSettingsDefaults, updateSettings} from './settings.js';
import {addSubmessage} from './submessages.js';
import {
	getSubscriptionStatus,
	getSubscriptions,
	subscribe,
	unsubscribe,
	updateSubscriptionSettings,
} from './subscriptions.js';
import {muteTopic, updateUserTopic} from './topics.js';
import {setTypingStatus} from './typing.js';
import {getAttachments, getFileTemporaryUrl, removeAttachment, uploadFile} from './uploads.js';
import {
	createUserGroup,
	deactivateUserGroup,
	getIsUserGroupMember,
	getUserGroupMembers,
	getUserGroupSubgroups,
	getUserGroups,
	updateUserGroup,
	updateUserGroupMembers,
	updateUserGroupSubgroups,
} from './user-groups.js';
import {getUserStatus, updateStatus} from './user-status.js';
import {
	createUser,
	deactivateOwnUser,
	deactivateUser,
	getOwnUser,
	getUser,
	getUserByEmail,
	getUsers,
	muteUser,
	reactivateUser,
	unmuteUser,
	updateUser,
	updateUserByEmail,
} from './users.js';
import {serviceOutgoingWebhook, zulipOutgoingWebhook} from './webhook.js';

export const operations = {
	sendMessage,
	getMessage,
	getMessages,
	updateMessage,
	deleteMessage,
	getMessageHistory,
	renderMessage,
	updateMessageFlags,
	updateMessageFlagsForNarrow,
	markAllAsRead,
	markStreamAsRead,
	markTopicAsRead,
	checkMessagesMatchNarrow,
	getReadReceipts,
	uploadFile,
	getFileTemporaryUrl,
	getAttachments,
	removeAttachment,
	getLinkifiers,
	addLinkifier,
	updateLinkifier,
	removeLinkifier,
	reorderLinkifiers,
	addPlayground,
	removePlayground,
	getSavedSnippets,
	createSavedSnippet,
	editSavedSnippet,
	deleteSavedSnippet,
	createScheduledMessage,
	getScheduledMessages,
	updateScheduledMessage,
	deleteScheduledMessage,
	addReaction,
	removeReaction,
	addSubmessage,
	setTypingStatus,
	getUsers,
	getOwnUser,
	getUser,
	getUserByEmail,
	createUser,
	getInvites,
	sendInvites,
	createInviteLink,
	resendEmailInvite,
	revokeEmailInvite,
	revokeInviteLink,
	getUserGroups,
	createUserGroup,
	updateUserGroup,
	deactivateUserGroup,
	updateUserGroupMembers,
	getUserGroupMembers,
	getIsUserGroupMember,
	updateUserGroupSubgroups,
	getUserGroupSubgroups,
	updateUser,
	updateUserByEmail,
	deactivateUser,
	deactivateOwnUser,
	reactivateUser,
	muteUser,
	unmuteUser,
	getProfileFields,
	createProfileField,
	updateProfileField,
	reorderProfileFields,
	deleteProfileField,
	updateProfileData,
	removeProfileData,
	getStreams,
	getStreamTopics,
	updateUserTopic,
	muteTopic,
	updateSubscriptionSettings,
	addApnsToken,
	removeApnsToken,
	addFcmToken,
	removeFcmToken,
	serviceOutgoingWebhook,
	zulipOutgoingWebhook,
	getStreamId,
	getStreamEmailAddress,
	getSubscribers,
	getSubscriptions,
	getSubscriptionStatus,
	subscribe,
	unsubscribe,
	getStreamById,
	createChannel,
	updateStream,
	archiveStream,
	deleteTopic,
	addDefaultStream,
	removeDefaultStream,
	register,
	getEvents,
	deleteQueue,
	getDrafts,
	createDrafts,
	editDraft,
	deleteDraft,
	updateSettings,
	updateNotificationSettings,
	updateRealmUserSettingsDefaults,
	getBots,
	createBot,
	updateBot,
	deactivateBot,
	regenerateBotApiKey,
	updateStatus,
	getUserStatus,
	updatePresence,
	getUserPresence,
	getRealmPresence,
	getServerSettings,
	devListUsers,
	devFetchApiKey,
	fetchApiKey,
	getCustomEmoji,
	uploadCustomEmoji,
	deactivateCustomEmoji,
	getAlertWords,
	addAlertWords,
	removeAlertWords,
	getStorage,
	updateStorage,
	removeStorage,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;

export type {Channel} from './channels.js';
export {Draft, type NewDraft} from './drafts.js';
export type {CustomEmoji} from './emoji.js';
export type {Event} from './events.js';
export type {GroupSetting} from './group-setting.js';
export type {Invite} from './invites.js';
export type {Linkifier} from './linkifiers.js';
export {Message, Reaction} from './messages.js';
export type {Callers, Operation, Parameter, ParametersOf, ResultOf} from './operation.js';
export {encodeValue, pathParameters} from './operation.js';
export type {ProfileField, ProfileValues} from './profile-fields.js';
export type {SavedSnippet} from './saved-snippets.js';
export type {ScheduledMessage} from './scheduled-messages.js';
export type {Attachment} from './uploads.js';
export type {UserGroup} from './user-groups.js';
export {type UserSettings, userSettings} from './user-settings.js';
export type {User} from './users.js';
export {Payload} from './webhook.js';
