// Every operation's handler; one that is missing does not compile.

import type {Handlers} from '../routes.js';
import {addAlertWords} from './add-alert-words.js';
import {addApnsToken} from './add-apns-token.js';
import {addFcmToken} from './add-fcm-token.js';
import {addLinkifier} from './add-linkifier.js';
import {addReaction} from './add-reaction.js';
import {archiveStream} from './archive-stream.js';
import {getStorage, removeStorage, updateStorage} from './bot-storage.js';
import {createBot} from './create-bot.js';
import {createChannel} from './create-channel.js';
import {createDrafts} from './create-drafts.js';
import {createProfileField} from './create-profile-field.js';
import {createScheduledMessage} from './create-scheduled-message.js';
import {createUser} from './create-user.js';
import {createUserGroup} from './create-user-group.js';
import {deactivateOwnUser} from './deactivate-own-user.js';
import {deactivateUser} from './deactivate-user.js';
import {deactivateUserGroup} from './deactivate-user-group.js';
import {deleteDraft} from './delete-draft.js';
import {deleteMessage} from './delete-message.js';
import {deleteProfileField} from './delete-profile-field.js';
import {deleteQueue} from './delete-queue.js';
import {deleteScheduledMessage} from './delete-scheduled-message.js';
import {devFetchApiKey} from './dev-fetch-api-key.js';
import {devListUsers} from './dev-list-users.js';
import {editDraft} from './edit-draft.js';
import {fetchApiKey} from './fetch-api-key.js';
import {getAlertWords} from './get-alert-words.js';
import {getBots} from './get-bots.js';
import {getCustomEmoji} from './get-custom-emoji.js';
import {getDrafts} from './get-drafts.js';
import {getEvents} from './get-events.js';
import {getIsUserGroupMember} from './get-is-user-group-member.js';
import {getLinkifiers} from './get-linkifiers.js';
import {getMessage} from './get-message.js';
import {getMessageHistory} from './get-message-history.js';
import {getMessages} from './get-messages.js';
import {getOwnUser} from './get-own-user.js';
import {getProfileFields} from './get-profile-fields.js';
import {getRealmPresence} from './get-realm-presence.js';
import {getScheduledMessages} from './get-scheduled-messages.js';
import {getServerSettings} from './get-server-settings.js';
import {getStreamById} from './get-stream-by-id.js';
import {getStreamId} from './get-stream-id.js';
import {getStreamTopics} from './get-stream-topics.js';
import {getStreams} from './get-streams.js';
import {getSubscribers} from './get-subscribers.js';
import {getSubscriptions} from './get-subscriptions.js';
import {getUser} from './get-user.js';
import {getUserByEmail} from './get-user-by-email.js';
import {getUserGroupMembers} from './get-user-group-members.js';
import {getUserGroupSubgroups} from './get-user-group-subgroups.js';
import {getUserGroups} from './get-user-groups.js';
import {getUserPresence} from './get-user-presence.js';
import {getUserStatus} from './get-user-status.js';
import {getUsers} from './get-users.js';
import {muteTopic} from './mute-topic.js';
import {reactivateUser} from './reactivate-user.js';
import {regenerateBotApiKey} from './regenerate-bot-api-key.js';
import {register} from './register.js';
import {removeAlertWords} from './remove-alert-words.js';
import {removeApnsToken} from './remove-apns-token.js';
import {removeFcmToken} from './remove-fcm-token.js';
import {removeLinkifier} from './remove-linkifier.js';
import {removeProfileData} from './remove-profile-data.js';
import {removeReaction} from './remove-reaction.js';
import {renderMessage} from './render-message.js';
import {reorderProfileFields} from './reorder-profile-fields.js';
import {sendMessage} from './send-message.js';
import {serviceOutgoingWebhook} from './service-outgoing-webhook.js';
import {setTypingStatus} from './set-typing-status.js';
import {subscribe} from './subscribe.js';
import {unsubscribe} from './unsubscribe.js';
import {updateBot} from './update-bot.js';
import {updateLinkifier} from './update-linkifier.js';
import {updateMessage} from './update-message.js';
import {updateMessageFlags} from './update-message-flags.js';
import {updateMessageFlagsForNarrow} from './update-message-flags-for-narrow.js';
import {updatePresence} from './update-presence.js';
import {updateProfileData} from './update-profile-data.js';
import {updateProfileField} from './update-profile-field.js';
import {updateRealmUserSettingsDefaults} from './update-realm-user-settings-defaults.js';
import {updateScheduledMessage} from './update-scheduled-message.js';
import {updateSettings} from './update-settings.js';
import {updateStatus} from './update-status.js';
import {updateStream} from './update-stream.js';
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
	getUser,
	getUserByEmail,
	createUser,
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
	getSubscribers,
	getSubscriptions,
	subscribe,
	unsubscribe,
	getStreamById,
	createChannel,
	updateStream,
	archiveStream,
	register,
	getEvents,
	deleteQueue,
	getDrafts,
	createDrafts,
	editDraft,
	deleteDraft,
	updateSettings,
	updateRealmUserSettingsDefaults,
	getBots,
	createBot,
	updateBot,
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
	getAlertWords,
	addAlertWords,
	removeAlertWords,
	getStorage,
	updateStorage,
	removeStorage,
};
