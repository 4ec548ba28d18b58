// Every operation's handler; one that is missing does not compile.

import type {Handlers} from '../routes.js';
import {addApnsToken} from './add-apns-token.js';
import {addFcmToken} from './add-fcm-token.js';
import {addLinkifier} from './add-linkifier.js';
import {addReaction} from './add-reaction.js';
import {createDrafts} from './create-drafts.js';
import {createScheduledMessage} from './create-scheduled-message.js';
import {createUserGroup} from './create-user-group.js';
import {deactivateUser} from './deactivate-user.js';
import {deactivateUserGroup} from './deactivate-user-group.js';
import {deleteDraft} from './delete-draft.js';
import {deleteMessage} from './delete-message.js';
import {deleteQueue} from './delete-queue.js';
import {deleteScheduledMessage} from './delete-scheduled-message.js';
import {devFetchApiKey} from './dev-fetch-api-key.js';
import {devListUsers} from './dev-list-users.js';
import {editDraft} from './edit-draft.js';
import {getDrafts} from './get-drafts.js';
import {getEvents} from './get-events.js';
import {getIsUserGroupMember} from './get-is-user-group-member.js';
import {getLinkifiers} from './get-linkifiers.js';
import {getMessage} from './get-message.js';
import {getMessageHistory} from './get-message-history.js';
import {getMessages} from './get-messages.js';
import {getOwnUser} from './get-own-user.js';
import {getRealmPresence} from './get-realm-presence.js';
import {getScheduledMessages} from './get-scheduled-messages.js';
import {getServerSettings} from './get-server-settings.js';
import {getStreamId} from './get-stream-id.js';
import {getStreamTopics} from './get-stream-topics.js';
import {getStreams} from './get-streams.js';
import {getSubscribers} from './get-subscribers.js';
import {getSubscriptions} from './get-subscriptions.js';
import {getUserGroupMembers} from './get-user-group-members.js';
import {getUserGroupSubgroups} from './get-user-group-subgroups.js';
import {getUserGroups} from './get-user-groups.js';
import {getUserPresence} from './get-user-presence.js';
import {getUsers} from './get-users.js';
import {muteTopic} from './mute-topic.js';
import {register} from './register.js';
import {removeApnsToken} from './remove-apns-token.js';
import {removeFcmToken} from './remove-fcm-token.js';
import {removeLinkifier} from './remove-linkifier.js';
import {removeReaction} from './remove-reaction.js';
import {renderMessage} from './render-message.js';
import {sendMessage} from './send-message.js';
import {serviceOutgoingWebhook} from './service-outgoing-webhook.js';
import {setTypingStatus} from './set-typing-status.js';
import {updateLinkifier} from './update-linkifier.js';
import {updateMessage} from './update-message.js';
import {updateMessageFlags} from './update-message-flags.js';
import {updateMessageFlagsForNarrow} from './update-message-flags-for-narrow.js';
import {updatePresence} from './update-presence.js';
import {updateScheduledMessage} from './update-scheduled-message.js';
import {updateSettings} from './update-settings.js';
import {updateSubscriptionSettings} from './update-subscription-settings.js';
import {updateUser} from './update-user.js';
import {updateUserByEmail} from './update-user-by-email.js';
import {updateUserGroup} from './update-user-group.js';
import {updateUserGroupMembers} from './update-user-group-members.js';
import {updateUserGroupSubgroups} from './update-user-group-subgroups.js';
import {updateUserTopic} from './update-user-topic.js';
import {uploadFile} from './upload-file.js';
import {zulipOutgoingWebhook} from './zulip-outgoing-webhook.js';

export const handlers: Handlers = {
	sendMessage,
	getMessage,
	getMessages,
	updateMessage,
	deleteMessage,
	getMessageHistory,
	renderMessage,
	updateMessageFlags,
	updateMessageFlagsForNarrow,
	uploadFile,
	getLinkifiers,
	addLinkifier,
	updateLinkifier,
	removeLinkifier,
	createScheduledMessage,
	getScheduledMessages,
	updateScheduledMessage,
	deleteScheduledMessage,
	addReaction,
	removeReaction,
	setTypingStatus,
	getUsers,
	getOwnUser,
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
	getSubscribers,
	getSubscriptions,
	register,
	getEvents,
	deleteQueue,
	getDrafts,
	createDrafts,
	editDraft,
	deleteDraft,
	updateSettings,
	updatePresence,
	getUserPresence,
	getRealmPresence,
	getServerSettings,
	devListUsers,
	devFetchApiKey,
};
