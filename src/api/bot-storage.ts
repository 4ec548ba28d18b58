import {operation, optional, required} from './operation.js';
import {z} from './zod.js';

const keys = optional(z.array(z.string()), 'Keys; all of them if left out');

export const getStorage = operation({
	name: 'getStorage',
	method: 'GET',
	path: '/bot_storage',
	about: 'Read your stored texts by key. Fails if a key does not exist',
	callers: 'users',
	parameters: {keys},
	result: z.looseObject({storage: z.record(z.string(), z.string())}),
});

export const updateStorage = operation({
	name: 'updateStorage',
	method: 'PUT',
	path: '/bot_storage',
	about: 'Store texts on the server, each under a key',
	callers: 'users',
	repeatable: true,
	parameters: {storage: required(z.record(z.string(), z.string()), 'Texts by key')},
	result: z.looseObject({}),
});

export const removeStorage = operation({
	name: 'removeStorage',
	method: 'DELETE',
	path: '/bot_storage',
	about: 'Delete stored texts',
	callers: 'users',
	parameters: {keys},
	result: z.looseObject({}),
});
