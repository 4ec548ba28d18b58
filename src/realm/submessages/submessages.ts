// What people do with widgets: votes in polls, tasks of lists. The service keeps each as a submessage of the widget's message.

import {z} from '../../api/zod.js';
import {badRequest} from '../errors.js';
import {findChangeable} from '../messages/edits/edit-rights.js';
import {receiverIds} from '../messages/rows.js';
import type {Account} from '../people/accounts.js';
import type {Services} from '../services.js';
import type {Store} from '../store/store.js';

const index = z.int().min(0).max(1000);

/** The data besides `type`, by kind of widget and by type. */
const kinds: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, z.ZodType>>>>>> = {
	poll: {
		vote: {key: z.string(), vote: z.literal([1, -1])},
		question: {question: z.string()},
		new_option: {option: z.string(), idx: index},
	},
	todo: {
		new_task: {key: index, task: z.string(), desc: z.string(), completed: z.boolean()},
		strike: {key: z.string()},
		new_task_list_title: {title: z.string()},
	},
};

/** Only the author of the widget may send them. */
const ofAuthor: Readonly<Record<string, string>> = {
	question: "You can't edit a question unless you are the author.",
	new_task_list_title: "You can't edit the task list title unless you are the author.",
};

export function addSubmessage(
	services: Services,
	sender: Account,
	{messageId, type, content}: {readonly messageId: number; readonly type: string; readonly content: string},
): void {
	const {store, queues} = services;
	const message = findChangeable(store, sender, messageId);
	const isAuthor = message.sender_id === sender.id;
	const widget = widgetOf(store, {messageId, authorId: message.sender_id});
	if (!widget && !isAuthor) {
		throw badRequest('You cannot attach a submessage to this message.');
	}

	checkData(readJson(content), widget ?? '', isAuthor);
	const sql = 'INSERT INTO submessages (message_id, sender_id, msg_type, content) VALUES (?, ?, ?, ?)';
	const submessage_id = store.run(sql, messageId, sender.id, type, content);
	const event = {message_id: messageId, submessage_id, sender_id: sender.id, msg_type: type, content};
	for (const id of receiverIds(store, messageId)) {
		queues.publishTo(id, {type: 'submessage', ...event});
	}
}

/** The kind of widget that a message shows. */
function widgetOf(store: Store, {messageId, authorId}: {messageId: number; authorId: number}): string | undefined {
	const sql = 'SELECT content FROM submessages WHERE message_id = ? AND sender_id = ? ORDER BY id LIMIT 1';
	const first = store.get<{content: string}>(sql, messageId, authorId);
	// widgetSubmessage() wrote it.
	return first && (JSON.parse(first.content) as {readonly widget_type: string}).widget_type;
}

function readJson(content: string): unknown {
	try {
		return JSON.parse(content);
	} catch {
		throw badRequest('Invalid json for submessage');
	}
}

/** Throws if the data is not valid for the widget. Accepts all data for unknown widgets. */
function checkData(data: unknown, widget: string, isAuthor: boolean): void {
	const types = Object.hasOwn(kinds, widget) ? kinds[widget] : undefined;
	if (!types) {
		return;
	}

	const name = `${widget} data`;
	const {type} = check(z.looseObject({type: z.string()}), data, name);
	const fields = Object.hasOwn(types, type) ? types[type] : undefined;
	if (!fields) {
		throw badRequest(`Unknown type for ${name}: ${type}`);
	}

	const refusal = Object.hasOwn(ofAuthor, type) ? ofAuthor[type] : undefined;
	if (refusal !== undefined && !isAuthor) {
		throw badRequest(refusal);
	}

	check(z.strictObject({type: z.string(), ...fields}), data, name);
}

const nouns: Readonly<Record<string, string>> = {
	string: 'a string',
	int: 'an integer',
	number: 'an integer',
	boolean: 'a boolean',
	object: 'a dict',
};

function check<Schema extends z.ZodType>(schema: Schema, data: unknown, name: string): z.output<Schema> {
	const result = schema.safeParse(data, {reportInput: true});
	if (result.success) {
		return result.data;
	}

	const [issue] = result.error.issues;
	const [key] = issue?.path ?? [];
	if (issue?.code === 'unrecognized_keys') {
		throw badRequest(`Unexpected arguments: ${issue.keys.join(', ')}`);
	}

	if (key !== undefined && issue?.input === undefined) {
		throw badRequest(`${String(key)} key is missing from ${name}`);
	}

	const place = key === undefined ? name : `${name}["${String(key)}"]`;
	const noun = issue?.code === 'invalid_type' ? nouns[issue.expected] : undefined;
	throw badRequest(noun === undefined ? `Invalid ${place}` : `${place} is not ${noun}`);
}
