import {operation, required} from '../operation.js';
import {z} from '../zod.js';

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

export const getFileTemporaryUrl = operation({
	name: 'getFileTemporaryUrl',
	method: 'GET',
	path: '/user_uploads/{realm_id_str}/{filename}',
	about: 'Get a URL that shows a file without login for a minute. Name the file by its path after `/user_uploads/`',
	callers: 'users',
	parameters: {
		realm_id_str: required(z.int(), 'The number at the beginning of the link'),
		filename: required(z.string(), 'All that follows it'),
	},
	result: z.looseObject({url: z.string()}),
});

/** A file that somebody uploaded, and the messages that show it. */
const Attachment = z.looseObject({
	id: z.int(),
	name: z.string(),
	/** Below `/user_uploads/`. */
	path_id: z.string(),
	size: z.int().optional(),
	/** In milliseconds. */
	create_time: z.number().optional(),
	messages: z.array(z.looseObject({id: z.int(), date_name: z.number().optional()})),
});
export type Attachment = z.infer<typeof Attachment>;

export const getAttachments = operation({
	name: 'getAttachments',
	method: 'GET',
	path: '/attachments',
	about: 'List your uploaded files, and the space that all files of the organization take',
	callers: 'users',
	parameters: {},
	result: z.looseObject({attachments: z.array(Attachment), upload_space_used: z.int().optional()}),
});

export const removeAttachment = operation({
	name: 'removeAttachment',
	method: 'DELETE',
	path: '/attachments/{attachment_id}',
	about: 'Delete one of your uploaded files. Links to it stop working',
	callers: 'users',
	parameters: {attachment_id: required(z.int(), 'ID of the file')},
	result: z.looseObject({}),
});
