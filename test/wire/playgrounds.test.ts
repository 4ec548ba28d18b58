import {clientCalls} from './kit/client-calls.js';
import {like, refusal, story} from './kit/story.js';

clientCalls('addPlayground', {
	'writes texts as they are, and reads the ID': [
		{name: 'Run', pygments_language: 'Python', url_template: 'https://r.example/{code}'},
		'POST /api/v1/realm/playgrounds name=Run&pygments_language=Python&url_template=https%3A%2F%2Fr.example%2F%7Bcode%7D',
		'"id":3',
	],
});

clientCalls('removePlayground', {
	'writes the ID in the path': [{playground_id: 3}, 'DELETE /api/v1/realm/playgrounds/3'],
});

const ADD = 'POST /api/v1/realm/playgrounds name=Run&pygments_language=Python&url_template=https://r.example/{code}';
const RUN = {id: 1, name: 'Run', pygments_language: 'Python', url_template: 'https://r.example/{code}'};
const NOT_ADMINISTRATOR = refusal('400 Bad Request', 'Must be an organization administrator', {
	code: 'UNAUTHORIZED_PRINCIPAL',
});
const invalid = (msg: string, field = '__all__') => refusal('400 Bad Request', msg, {errors: {[field]: [msg]}});
const adding = (language: string, template: string) =>
	`adam POST /api/v1/realm/playgrounds name=Other&pygments_language=${language}&url_template=${template}`;

story('addPlayground', 'tells everybody of a place for code, until it is removed', [
	{listen: 'alice', to: 'realm_playgrounds'},
	[`adam ${ADD}`, {id: 1}],
	['alice POST /api/v1/register fetch_event_types=["realm_playgrounds"]', like({realm_playgrounds: [RUN]})],
	['alice DELETE /api/v1/realm/playgrounds/1', NOT_ADMINISTRATOR],
	['adam DELETE /api/v1/realm/playgrounds/1', {}],
	['adam DELETE /api/v1/realm/playgrounds/1', 'Invalid playground'],
	{
		heard: 'alice',
		events: [
			{type: 'realm_playgrounds', realm_playgrounds: [RUN]},
			{type: 'realm_playgrounds', realm_playgrounds: []},
		],
	},
]);

story('addPlayground', 'refuses what does not fit, and everybody but administrators', [
	[`alice ${ADD}`, NOT_ADMINISTRATOR],
	[`adam ${ADD}`, {id: 1}],
	[`adam ${ADD}`, invalid('Realm playground with this Realm, Pygments language and Name already exists.')],
	[adding('a$b', 'https://r.example/{code}'), 'Invalid characters in pygments language'],
	[adding('x'.repeat(41), 'https://r.example/{code}'), 'pygments_language is too long (limit: 40 characters)'],
	[adding('', 'https://r.example/{code}'), invalid('This field cannot be blank.', 'pygments_language')],
	[adding('C', 'https://r.example/{'), invalid('Invalid URL template.', 'url_template')],
	[adding('C', 'https://r.example/'), invalid('Missing the required variable "code" in the URL template')],
	[
		adding('C', 'https://r.example/{code}/{x}'),
		invalid('"code" should be the only variable present in the URL template'),
	],
]);
