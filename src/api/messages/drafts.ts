import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';

/** A draft as in spec.md, "Draft object", with its ID. Unknown types pass. */
export const Draft = z.looseObject({
	id: z.int(),
	/** Empty while it has no recipient; otherwise `stream` or `private`. */
	type: z.string(),
	/** One channel, or the others in a direct conversation. */
	to: z.array(z.int()),
	topic: z.string(),
	content: z.string(),
	timestamp: z.number().optional(),
});
export type Draft = z.infer<typeof Draft>;

/** The fields to send. */
const NewDraft = z.strictObject({
	type: z.enum(['', 'stream', 'private']),
	to: z.array(z.int()),
	topic: z.string(),
	content: z.string().trim().min(1),
	/** Null and absent mean now. */
	timestamp: z.union([z.int(), z.number()]).nullish(),
});
export type NewDraft = z.infer<typeof NewDraft>;

export const getDrafts = operation({
	name: 'getDrafts',
	method: 'GET',
	path: '/drafts',
	about: 'List your drafts, the least recently edited first',
	callers: 'users',
	parameters: {},
	result: z.looseObject({count: z.int().optional(), drafts: z.array(Draft)}),
});

export const createDrafts = operation({
	name: 'createDrafts',
	method: 'POST',
	path: '/drafts',
	about: 'Create drafts, all of them or none',
	callers: 'users',
	parameters: {
		// Optional in spec.md, but servers refuse a call without it.
		drafts: optional(z.array(NewDraft), 'Drafts to create', {default: []}),
	},
	result: z.looseObject({ids: z.array(z.int())}),
});

export const editDraft = operation({
	name: 'editDraft',
	method: 'PATCH',
	path: '/drafts/{draft_id}',
	about: 'Replace a draft',
	callers: 'users',
	parameters: {
		draft_id: required(z.int(), 'ID of the draft'),
		draft: required(NewDraft, 'The new draft'),
	},
	result: z.looseObject({}),
});

export const deleteDraft = operation({
	name: 'deleteDraft',
	method: 'DELETE',
	path: '/drafts/{draft_id}',
	about: 'Delete a draft',
	callers: 'users',
	parameters: {draft_id: required(z.int(), 'ID of the draft')},
	result: z.looseObject({}),
});
