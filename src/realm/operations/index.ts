// Every operation's handler; one that is missing does not compile.

import type {Handlers} from '../routes.js';
import {addReaction} from './add-reaction.js';
import {createDrafts} from './create-drafts.js';
import {createScheduledMessage} from './create-scheduled-message.js';
import {deactivateUser} from './deactivate-user.js';
import {deleteDraft} from './delete-draft.js';
import {deleteMessage} from './delete-message.js';
import {deleteQueue} from './delete-queue.js';
import {deleteScheduledMessage} from './delete-scheduled-message.js';
import {devFetchApiKey} from './dev-fetch-api-key.js';
import {devListUsers} from './dev-list-users.js';
import {editDraft} from './edit-draft.js';
import {getDrafts} from './get-drafts.js';
import {getEvents} from './get-events.js';
import {getMessage} from './get-message.js';
import {getMessageHistory} from './get-message-history.js';
import {getMessages} from './get-messages.js';
import {getOwnUser} from './get-own-user.js';
import {getRealmPresence} from './get-realm-presence.js';
import {getScheduledMessages} from './get-scheduled-messages.js';
import {getServerSettings} from './get-server-settings.js';
import {getStreamTopics} from './get-stream-topics.js';
import {getStreams} from './get-streams.js';
import {getUserPresence} from './get-user-presence.js';
import {getUsers} from './get-users.js';
import {register} from './register.js';
import {removeReaction} from './remove-reaction.js';
import {sendMessage} from './send-message.js';
import {setTypingStatus} from './set-typing-status.js';
import {updateMessage} from './update-message.js';
import {updatePresence} from './update-presence.js';
import {updateScheduledMessage} from './update-scheduled-message.js';
import {updateSettings} from './update-settings.js';
import {updateUser} from './update-user.js';
import {updateUserByEmail} from './update-user-by-email.js';

export const handlers: Handlers = {
	sendMessage,
	getMessage,
	getMessages,
	updateMessage,
	deleteMessage,
	getMessageHistory,
	createScheduledMessage,
	getScheduledMessages,
	updateScheduledMessage,
	deleteScheduledMessage,
	addReaction,
	removeReaction,
	setTypingStatus,
	getUsers,
	getOwnUser,
	updateUser,
	updateUserByEmail,
	deactivateUser,
	getStreams,
	getStreamTopics,
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
