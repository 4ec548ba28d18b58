// Every operation's handler; one that is missing does not compile.

import type {Handlers} from '../routes.js';
import {deleteMessage} from './delete-message.js';
import {deleteQueue} from './delete-queue.js';
import {devFetchApiKey} from './dev-fetch-api-key.js';
import {devListUsers} from './dev-list-users.js';
import {getEvents} from './get-events.js';
import {getMessage} from './get-message.js';
import {getMessageHistory} from './get-message-history.js';
import {getMessages} from './get-messages.js';
import {getOwnUser} from './get-own-user.js';
import {getServerSettings} from './get-server-settings.js';
import {getStreamTopics} from './get-stream-topics.js';
import {getStreams} from './get-streams.js';
import {getUsers} from './get-users.js';
import {register} from './register.js';
import {sendMessage} from './send-message.js';
import {updateMessage} from './update-message.js';

export const handlers: Handlers = {
	sendMessage,
	getMessage,
	getMessages,
	updateMessage,
	deleteMessage,
	getMessageHistory,
	getUsers,
	getOwnUser,
	getStreams,
	getStreamTopics,
	register,
	getEvents,
	deleteQueue,
	getServerSettings,
	devListUsers,
	devFetchApiKey,
};
