// The wire: every operation that we speak and that the realm serves, in one table.

import {getStreams, getStreamTopics} from './channels.js';
import {deleteQueue, getEvents, register} from './events.js';
import {getMessage, getMessages, sendMessage} from './messages.js';
import {getRealmPresence, getUserPresence, updatePresence} from './presence.js';
import {devFetchApiKey, devListUsers, getServerSettings} from './server.js';
import {getOwnUser, getUsers} from './users.js';

export const operations = {
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
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;

export type {Channel} from './channels.js';
export type {Event} from './events.js';
export type {Message} from './messages.js';
export type {Operation, Parameter, ParametersOf, ResultOf} from './operation.js';
export {encodeValue, pathParameters} from './operation.js';
export type {User} from './users.js';
export {Payload} from './webhook.js';
