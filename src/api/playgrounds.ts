import {operation, required} from './operation.js';
import {z} from './zod.js';

export const addPlayground = operation({
	name: 'addPlayground',
	method: 'POST',
	path: '/realm/playgrounds',
	about: 'Add a code playground: a web page that runs code of a language',
	callers: 'administrators',
	parameters: {
		name: required(z.string(), 'What people read'),
		pygments_language: required(z.string(), 'Language of the code blocks, up to 40 characters'),
		url_template: required(z.string(), 'URL template (RFC 6570). Its only variable is `code`', {since: 196}),
	},
	result: z.looseObject({id: z.int()}),
});

export const removePlayground = operation({
	name: 'removePlayground',
	method: 'DELETE',
	path: '/realm/playgrounds/{playground_id}',
	about: 'Remove a code playground',
	callers: 'administrators',
	parameters: {playground_id: required(z.int(), 'ID of the place')},
	result: z.looseObject({}),
});
