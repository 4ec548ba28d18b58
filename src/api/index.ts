// Every operation that the client calls and the realm serves, in one table.

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
import {deactivateCustomEmoji, getCustomEmoji, uploadCustomEmoji} from './emoji.js';
import {deleteQueue, getEvents, register} from './events.js';
import {addLinkifier, getLinkifiers, removeLinkifier, reorderLinkifiers, updateLinkifier} from './linkifiers.js';
import {createDrafts, deleteDraft, editDraft, getDrafts} from './messages/drafts.js';
import {
	getReadReceipts,
	markAllAsRead,
	markStreamAsRead,
	markTopicAsRead,
	updateMessageFlags,
	updateMessageFlagsForNarrow,
} from './messages/message-flags.js';
import {
	checkMessagesMatchNarrow,
	deleteMessage,
	getMessage,
	getMessageHistory,
	getMessages,
	renderMessage,
	sendMessage,
	updateMessage,
} from './messages/messages.js';
import {addReaction, removeReaction} from './messages/reactions.js';
import {createSavedSnippet, deleteSavedSnippet, editSavedSnippet, getSavedSnippets} from './messages/saved-snippets.js';
import {
	createScheduledMessage,
	deleteScheduledMessage,
	getScheduledMessages,
	updateScheduledMessage,
} from './messages/scheduled-messages.js';
import {addSubmessage} from './messages/submessages.js';
import {muteTopic, updateUserTopic} from './messages/topics.js';
import {setTypingStatus} from './messages/typing.js';
import {getAttachments, getFileTemporaryUrl, removeAttachment, uploadFile} from './messages/uploads.js';
import {addAlertWords, getAlertWords, removeAlertWords} from './people/alert-words.js';
import {
	createInviteLink,
	getInvites,
	resendEmailInvite,
	revokeEmailInvite,
	revokeInviteLink,
	sendInvites,
} from './people/invites.js';
import {getRealmPresence, getUserPresence, updatePresence} from './people/presence.js';
import {
	createProfileField,
	deleteProfileField,
	getProfileFields,
	removeProfileData,
	reorderProfileFields,
	updateProfileData,
	updateProfileField,
} from './people/profile-fields.js';
import {addApnsToken, addFcmToken, removeApnsToken, removeFcmToken} from './people/push-tokens.js';
import {updateNotificationSettings, updateRealmUserSettingsDefaults, updateSettings} from './people/settings.js';
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
} from './people/user-groups.js';
import {getUserStatus, updateStatus} from './people/user-status.js';
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
} from './people/users.js';
import {addPlayground, removePlayground} from './playgrounds.js';
import {devFetchApiKey, devListUsers, fetchApiKey, getServerSettings} from './server.js';
import {
	getSubscriptionStatus,
	getSubscriptions,
	subscribe,
	unsubscribe,
	updateSubscriptionSettings,
} from './subscriptions.js';
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
export type {CustomEmoji} from './emoji.js';
export type {Event} from './events.js';
export type {GroupSetting} from './group-setting.js';
export type {Linkifier} from './linkifiers.js';
export {Draft, type NewDraft} from './messages/drafts.js';
export {Message, Reaction} from './messages/messages.js';
export type {SavedSnippet} from './messages/saved-snippets.js';
export type {ScheduledMessage} from './messages/scheduled-messages.js';
export type {Attachment} from './messages/uploads.js';
export type {Callers, Operation, Parameter, ParametersOf, ResultOf} from './operation.js';
export {encodeValue, pathParameters} from './operation.js';
export type {Invite} from './people/invites.js';
export type {ProfileField, ProfileValues} from './people/profile-fields.js';
export type {UserGroup} from './people/user-groups.js';
export {type UserSettings, userSettings} from './people/user-settings.js';
export type {User} from './people/users.js';
export {Payload} from './webhook.js';
