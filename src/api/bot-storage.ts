import {z} from 'zod';
import {operation, optional, required} from './operation.js';

const keys = optional(z.array(z.string()), 'Keys; all of them if left out');

export const getStorage = operation({
	name: 'getStorage',
	method: 'GET',
	path: '/bot_storage',
	about: 'Read what one keeps on the server, by key; a key that is not there is refused',
	callers: 'users',
	parameters: {keys},
	result: z.looseObject({storage: z.record(z.string(), z.string())}),
});

export const updateStorage = operation({
	name: 'updateStorage',
	method: 'PUT',
	path: '/bot_storage',
	about: 'Keep texts on the server, each under its key',
	callers: 'users',
	repeatable: true,
	parameters: {storage: required(z.record(z.string(), z.string()), 'Texts by key')},
	result: z.looseObject({}),
});

export const removeStorage = operation({
	name: 'removeStorage',
	method: 'DELETE',
	path: '/bot_storage',
	about: 'Forget what one keeps on the server',
	callers: 'users',
	parameters: {keys},
	result: z.looseObject({}),
});
