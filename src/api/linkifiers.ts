import {operation, required} from './operation.js';
import {z} from './zod.js';

/** Turns text that matches a pattern into links. */
const Linkifier = z.looseObject({id: z.int(), pattern: z.string(), url_template: z.string()});
export type Linkifier = z.infer<typeof Linkifier>;

const filter_id = required(z.int(), 'ID of the linkifier');

const rule = {
	pattern: required(z.string(), 'Regular expression with named groups, such as `#(?P<id>[0-9]+)`'),
	url_template: required(
		z.string(),
		'URL template (RFC 6570) with the names of the groups, such as `https://example.com/{id}`',
		{
			since: 176,
		},
	),
};

export const getLinkifiers = operation({
	name: 'getLinkifiers',
	method: 'GET',
	path: '/realm/linkifiers',
	about: 'List the linkifiers, in order of precedence',
	callers: 'users',
	parameters: {},
	result: z.looseObject({linkifiers: z.array(Linkifier)}),
});

export const addLinkifier = operation({
	name: 'addLinkifier',
	method: 'POST',
	path: '/realm/filters',
	about: 'Create a linkifier: text that matches a pattern becomes a link',
	callers: 'administrators',
	parameters: rule,
	result: z.looseObject({id: z.int()}),
});

export const updateLinkifier = operation({
	name: 'updateLinkifier',
	method: 'PATCH',
	path: '/realm/filters/{filter_id}',
	about: 'Change the pattern and the URL of a linkifier',
	callers: 'administrators',
	parameters: {filter_id, ...rule},
	result: z.looseObject({}),
});

export const removeLinkifier = operation({
	name: 'removeLinkifier',
	method: 'DELETE',
	path: '/realm/filters/{filter_id}',
	about: 'Remove a linkifier',
	callers: 'administrators',
	parameters: {filter_id},
	result: z.looseObject({}),
});

export const reorderLinkifiers = operation({
	name: 'reorderLinkifiers',
	method: 'PATCH',
	path: '/realm/linkifiers',
	about: 'Set the order of the linkifiers',
	callers: 'administrators',
	since: 173,
	parameters: {ordered_linkifier_ids: required(z.array(z.int()), 'IDs of all linkifiers in their new order')},
	result: z.looseObject({}),
});
