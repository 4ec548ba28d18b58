// Every operation's handler; one that is missing does not compile.

import type {Handlers} from '../routes.js';
import {deleteQueue} from './delete-queue.js';
import {devFetchApiKey} from './dev-fetch-api-key.js';
import {devListUsers} from './dev-list-users.js';
import {getEvents} from './get-events.js';
import {getMessage} from './get-message.js';
import {getMessages} from './get-messages.js';
import {getOwnUser} from './get-own-user.js';
import {getRealmPresence} from './get-realm-presence.js';
import {getServerSettings} from './get-server-settings.js';
import {getStreamTopics} from './get-stream-topics.js';
import {getStreams} from './get-streams.js';
import {getUserPresence} from './get-user-presence.js';
import {getUsers} from './get-users.js';
import {register} from './register.js';
import {sendMessage} from './send-message.js';
import {updatePresence} from './update-presence.js';

export const handlers: Handlers = {
	sendMessage,
	getMessage,
	getMessages,
	getUsers,
	getOwnUser,
	getStreams,
	getStreamTopics,
	register,
	getEvents,
	deleteQueue,
	updatePresence,
	getUserPresence,
	getRealmPresence,
	getServerSettings,
	devListUsers,
	devFetchApiKey,
};
