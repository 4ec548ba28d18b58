// Linkifiers by literal forms, and what becomes of a text and a topic.

import {at, type Caller, type Json} from './raw-request.js';

export const TICKETS = 'pattern=%23(?P<id>[0-9]%2B)&url_template=https://t.example/{id}';

export const addLinkifier = (caller: Caller, form = TICKETS) => caller.post('/api/v1/realm/filters', form);

export const linkifiers = async (caller: Caller): Promise<Json> =>
	at((await caller.get('/api/v1/realm/linkifiers')).json, 'linkifiers');

/** The text as HTML. */
export async function rendered(caller: Caller, text: string): Promise<Json> {
	return at((await caller.post('/api/v1/messages/render', `content=${encodeURIComponent(text)}`)).json, 'rendered');
}

/** Links of a topic, as a message in it has them. */
export async function linksOf(caller: Caller, topic: string): Promise<Json> {
	const form = `content=x&type=channel&to=general&topic=${encodeURIComponent(topic)}`;
	const id = at((await caller.post('/api/v1/messages', form)).json, 'id');
	return at((await caller.get(`/api/v1/messages/${id}`)).json, 'message', 'topic_links');
}

/** The rest of a form that registers a queue which reads URL templates. */
export const READS_TEMPLATES = '&client_capabilities={"notification_settings_null":true,"linkifier_url_template":true}';

export const notAdministrator = {
	status: '400 Bad Request',
	json: {
		result: 'error',
		msg: 'Must be an organization administrator',
		code: 'UNAUTHORIZED_PRINCIPAL',
	},
};
