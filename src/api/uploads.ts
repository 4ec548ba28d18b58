import {z} from 'zod';
import {operation, required} from './operation.js';

export const uploadFile = operation({
	name: 'uploadFile',
	method: 'POST',
	path: '/user_uploads',
	about: 'Upload a file. To share it, link to it in a message',
	callers: 'users',
	parameters: {file: required(z.file(), 'The file, with its name and type')},
	result: z.looseObject({
		/** Path for a link in Markdown. Servers before feature level 272 send only `uri`. */
		url: z.string().optional(),
		uri: z.string().optional(),
		/** The original name of the file, from feature level 285. */
		filename: z.string().optional(),
	}),
});
