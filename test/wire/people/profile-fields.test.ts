import {clientCalls} from '../kit/client-calls.js';
import {answers, type Expected, including, like, missingArgument, refusal, type Step, story} from '../kit/story.js';

const FIELDS =
	'[{"id":4,"name":"Editor","type":3,"hint":"","field_data":"{\\"0\\":{\\"text\\":\\"Vim\\",\\"order\\":\\"1\\"}}",' +
	'"order":0,"required":true,"editable_by_user":false},' +
	'{"id":5,"name":"Site","type":5,"hint":"Yours","field_data":"","order":1,"display_in_profile_summary":true}]';

clientCalls('getProfileFields', {
	'reads every field': [
		{},
		'GET /api/v1/realm/profile_fields',
		`"custom_fields":${FIELDS}`,
		{custom_fields: JSON.parse(FIELDS)},
	],
	'reads fields of servers that leave out what is empty': [
		{},
		'GET /api/v1/realm/profile_fields',
		'"custom_fields":[{"id":1,"name":"Phone","type":1}]',
	],
});

clientCalls('createProfileField', {
	'sends a form': [
		{
			name: 'Editor',
			field_type: 3,
			hint: 'Which?',
			field_data: {0: {text: 'Vim', order: '1'}},
			display_in_profile_summary: true,
			required: true,
			editable_by_user: false,
		},
		'POST /api/v1/realm/profile_fields name=Editor&field_type=3&hint=Which%3F&field_data=%7B%220%22%3A%7B%22text%22%3A%22Vim%22%2C%22order%22%3A%221%22%7D%7D&display_in_profile_summary=true&required=true&editable_by_user=false',
		'"id":9',
	],
});

clientCalls('updateProfileField', {
	'sends a form': [
		{
			field_id: 4,
			name: 'Editor',
			hint: '',
			field_data: {subtype: 'github'},
			display_in_profile_summary: false,
			required: true,
			editable_by_user: true,
		},
		'PATCH /api/v1/realm/profile_fields/4 name=Editor&hint=&field_data=%7B%22subtype%22%3A%22github%22%7D&display_in_profile_summary=false&required=true&editable_by_user=true',
	],
});

clientCalls('reorderProfileFields', {
	'sends the order as JSON': [{order: [3, 1, 2]}, 'PATCH /api/v1/realm/profile_fields order=%5B3%2C1%2C2%5D'],
});

clientCalls('deleteProfileField', {
	'names the field in the path': [{field_id: 4}, 'DELETE /api/v1/realm/profile_fields/4'],
});

clientCalls('updateProfileData', {
	'sends values as JSON': [
		{data: [{id: 1, value: 'Roof'}]},
		'PATCH /api/v1/users/me/profile_data data=%5B%7B%22id%22%3A1%2C%22value%22%3A%22Roof%22%7D%5D',
	],
});

clientCalls('removeProfileData', {
	'sends IDs as JSON': [{data: [1, 5]}, 'DELETE /api/v1/users/me/profile_data data=%5B1%2C5%5D'],
});

const NOT_ADMINISTRATOR = refusal('400 Bad Request', 'Must be an organization administrator', {
	code: 'UNAUTHORIZED_PRINCIPAL',
});
const LIST = '/api/v1/realm/profile_fields';
const EVENT = 'custom_profile_fields';
const DISHES = '{"0":{"text":"Soup","order":"1"},"1":{"text":"Bread","order":"2"},"2":{"text":"Cake","order":"3"}}';
const USUAL = {hint: '', field_data: '', required: false, editable_by_user: true};
const DESK = {...USUAL, id: 1, name: 'Desk', type: 1, hint: 'Where to find you', order: 0};
const DEMO = [
	DESK,
	{...USUAL, id: 2, name: 'About me', type: 2, order: 1},
	{...USUAL, id: 3, name: 'Favourite dish', type: 3, field_data: DISHES, order: 2},
	{...USUAL, id: 4, name: 'Birthday', type: 4, order: 3},
	{...USUAL, id: 5, name: 'Homepage', type: 5, order: 4, display_in_profile_summary: true},
	{...USUAL, id: 6, name: 'Mentor', type: 6, hint: 'Who showed you around', order: 5},
	{...USUAL, id: 7, name: 'GitHub username', type: 7, field_data: '{"subtype":"github"}', order: 6},
	{...USUAL, id: 8, name: 'Pronouns', type: 8, order: 7, display_in_profile_summary: true},
	{...USUAL, id: 9, name: 'Badge', type: 1, order: 8, editable_by_user: false},
];

/** All fields as the demo organization has them, but the first with these changes. */
const withDesk = (change: object) => [{...DESK, ...change}, ...DEMO.slice(1)];
const ids = (...list: readonly number[]) => list.map(id => like({id}));
/** What somebody filled in. */
const profile = (who: string, id: number, data: Expected): Step => [
	`${who} GET /api/v1/users/${id}?include_custom_profile_fields=true`,
	like({user: like({profile_data: data})}),
];

answers('getProfileFields', {
	'gives a guest a field of each type': [`gus GET ${LIST}`, {custom_fields: DEMO}],
	'gives fields, their types and what people filled in with a new queue': [
		'alice POST /api/v1/register event_types=["custom_profile_fields","realm_user"]',
		like({
			custom_profile_fields: DEMO,
			custom_profile_field_types: {
				SHORT_TEXT: {id: 1, name: 'Text (short)'},
				LONG_TEXT: {id: 2, name: 'Text (long)'},
				SELECT: {id: 3, name: 'List of options'},
				DATE: {id: 4, name: 'Date'},
				URL: {id: 5, name: 'Link'},
				USER: {id: 6, name: 'Users'},
				EXTERNAL_ACCOUNT: {id: 7, name: 'External account'},
				PRONOUNS: {id: 8, name: 'Pronouns'},
			},
			realm_users: including(like({user_id: 7, profile_data: {6: {value: '[4]'}}})),
		}),
	],
});

const EDITOR = {
	name: 'Editor',
	type: 3,
	hint: 'Which?',
	field_data: '{"0":{"text":"Vim","order":"1"}}',
	order: 9,
	required: true,
	editable_by_user: false,
};

story('createProfileField', 'adds a field, and everybody gets an event', [
	{listen: 'alice', to: EVENT},
	[
		`adam POST ${LIST} name=+Editor+&field_type=3&hint=Which?&required=true&editable_by_user=false` +
			'&field_data=%7B%220%22%3A%7B%22text%22%3A%22Vim%22%2C%22order%22%3A%221%22%7D%7D',
		{id: '$id'},
	],
	[`alice GET ${LIST}`, {custom_fields: [...DEMO, {...EDITOR, id: '$id'}]}],
	{heard: 'alice', events: [{type: EVENT, fields: [...DEMO, {...EDITOR, id: '$id'}]}]},
]);

story('createProfileField', 'names known external accounts, and takes custom ones', [
	[`adam POST ${LIST} field_type=7&field_data={"subtype":"twitter"}&name=Bird`],
	[
		`adam POST ${LIST} field_type=7&name=Forge&field_data=` +
			'{"subtype":"custom","url_pattern":"https://forge.example/%25(username)s"}',
	],
	[`adam GET ${LIST}`, {custom_fields: [...DEMO, like({name: 'Twitter username'}), like({name: 'Forge'})]}],
]);

story('createProfileField', 'shows two fields in the summary at most', [
	[
		`adam POST ${LIST} name=Town&field_type=1&display_in_profile_summary=true`,
		'Only 2 custom profile fields can be displayed in the profile summary.',
	],
	[`adam DELETE ${LIST}/8`],
	[`adam POST ${LIST} name=Town&field_type=1&display_in_profile_summary=true`],
	[`adam GET ${LIST}`, {custom_fields: [...ids(1, 2, 3, 4, 5, 6, 7, 9), like({display_in_profile_summary: true})]}],
]);

for (const [level, form, name] of [
	[145, 'display_in_profile_summary=true', 'display_in_profile_summary'],
	[243, 'required=true', 'required'],
	[295, 'editable_by_user=false', 'editable_by_user'],
] as const) {
	story(
		'createProfileField',
		`feature level ${level} does not know ${name}`,
		[
			[`adam POST ${LIST} name=Town&field_type=1&${form}`, like({id: 10})],
			[`adam GET ${LIST}`, {custom_fields: [...ids(1, 2, 3, 4, 5, 6, 7, 8, 9), like({id: 10, [name]: undefined})]}],
			// Everybody fills in what nobody could keep for administrators.
			['alice PATCH /api/v1/users/me/profile_data data=[{"id":10,"value":"Rome"}]'],
		],
		{featureLevel: level},
	);
}

const DUPLICATES = '{"0":{"text":"a","order":"1"},"1":{"text":"a","order":"2"}}';
const NOT_IN_SUMMARY = 'Field type not supported for display in profile summary.';

story('createProfileField', 'refuses bad values, and adds no field', [
	[`alice POST ${LIST} name=Town&field_type=1`, NOT_ADMINISTRATOR],
	[`adam POST ${LIST} name=Town`, missingArgument('field_type')],
	[`adam POST ${LIST} field_type=1`, 'Label cannot be blank.'],
	[`adam POST ${LIST} field_type=1&name=+`, 'Label cannot be blank.'],
	[`adam POST ${LIST} field_type=1&name=Desk`, 'A field with that label already exists.'],
	[`adam POST ${LIST} field_type=1&name=${'x'.repeat(41)}`, 'name is too long (limit: 40 characters)'],
	[`adam POST ${LIST} field_type=1&name=Town&hint=${'x'.repeat(81)}`, 'hint is too long (limit: 80 characters)'],
	[`adam POST ${LIST} field_type=9&name=Town`, 'Invalid field type.'],
	[`adam POST ${LIST} field_type=1.5&name=Town`, 'field_type is not an integer'],
	[`adam POST ${LIST} field_type="1"&name=Town`, 'field_type is not an integer'],
	[`adam POST ${LIST} field_type=3&name=Dish`, 'Field must have at least one choice.'],
	[`adam POST ${LIST} field_type=3&name=Dish&field_data=[]`, 'field_data is not a dict'],
	[`adam POST ${LIST} field_type=3&name=Dish&field_data={"0":5}`, 'field_data["0"]["dict[str,str]"] is not a dict'],
	[
		`adam POST ${LIST} field_type=3&name=Dish&field_data={"0":{"text":5}}`,
		'field_data["0"]["dict[str,str]"]["text"] is not a string',
	],
	[`adam POST ${LIST} field_type=3&name=Dish&field_data={"0":"Soup"}`, 'field_data is not a dict'],
	[`adam POST ${LIST} field_type=3&name=Dish&field_data={"0":{"text":"Soup"}}`, 'order key is missing from field_data'],
	[`adam POST ${LIST} field_type=3&name=Dish&field_data={"0":{"text":" "}}`, 'field_data["text"] cannot be blank.'],
	[`adam POST ${LIST} field_type=3&name=Dish&field_data={"":{"text":"Soup","order":"1"}}`, "'value' cannot be blank."],
	[
		`adam POST ${LIST} field_type=3&name=Dish&field_data={"0":{"text":"Soup","order":"1","hot":"yes"}}`,
		'Unexpected arguments: hot',
	],
	[`adam POST ${LIST} field_type=3&name=Dish&field_data=${DUPLICATES}`, 'Field must not have duplicate choices.'],
	[`adam POST ${LIST} field_type=7&name=Forge`, 'Invalid external account type'],
	[`adam POST ${LIST} field_type=7&name=Forge&field_data={"subtype":"forge"}`, 'Invalid external account type'],
	[
		`adam POST ${LIST} field_type=7&name=Forge&field_data={"subtype":"custom"}`,
		'Custom external account must define URL pattern',
	],
	[
		`adam POST ${LIST} field_type=7&name=Forge&field_data={"subtype":"custom","url_pattern":"https://x.example"}`,
		'Malformed URL pattern.',
	],
	[`adam POST ${LIST} field_type=2&name=Life&display_in_profile_summary=true`, NOT_IN_SUMMARY],
	[`adam POST ${LIST} field_type=6&name=Boss&display_in_profile_summary=true`, NOT_IN_SUMMARY],
	[`adam GET ${LIST}`, {custom_fields: DEMO}],
]);

answers('createProfileField', {
	'takes a name of 40 and a hint of 80 characters': [
		`adam POST ${LIST} field_type=1&name=${'🍲'.repeat(40)}&hint=${'🍲'.repeat(80)}`,
		{id: 10},
	],
});

for (const [form, change] of [
	['name=+Room+', {name: 'Room'}],
	['name=Desk', {}],
	['hint=', {hint: ''}],
	['required=true', {required: true}],
	['editable_by_user=false', {editable_by_user: false}],
] as const) {
	story('updateProfileField', `obeys ${form}, and tells everybody`, [
		{listen: 'alice', to: EVENT},
		[`adam PATCH ${LIST}/1 ${form}`, {}],
		[`alice GET ${LIST}`, {custom_fields: withDesk(change)}],
		{heard: 'alice', events: [{type: EVENT, fields: withDesk(change)}]},
	]);
}

story('updateProfileField', 'takes a field out of the summary, and another in', [
	[`adam PATCH ${LIST}/5 display_in_profile_summary=true`, {}],
	[`adam PATCH ${LIST}/5 display_in_profile_summary=false`, {}],
	[`adam PATCH ${LIST}/1 display_in_profile_summary=true`, {}],
	[
		`adam GET ${LIST}`,
		like({
			custom_fields: including(
				like({id: 1, display_in_profile_summary: true}),
				like({id: 5, display_in_profile_summary: undefined}),
				like({id: 8, display_in_profile_summary: true}),
			),
		}),
	],
]);

story('updateProfileField', 'removes the values of options that are gone', [
	[`adam PATCH ${LIST}/3 field_data={"0":{"text":"Soup","order":"1"}}`, {}],
	profile('carla', 6, {3: {value: '0'}}),
	[`adam PATCH ${LIST}/3 field_data={"1":{"text":"Bread","order":"2"}}`, {}],
	profile('carla', 6, {}),
	[
		`carla GET ${LIST}`,
		like({custom_fields: including(like({id: 3, field_data: '{"1":{"text":"Bread","order":"2"}}'}))}),
	],
]);

story('updateProfileField', 'refuses bad values', [
	[`alice PATCH ${LIST}/1 name=Room`, NOT_ADMINISTRATOR],
	[`adam PATCH ${LIST}/99 name=Room`, 'Field id 99 not found.'],
	[`adam PATCH ${LIST}/1 name=`, 'Label cannot be blank.'],
	[`adam PATCH ${LIST}/1 name=Badge`, 'A field with that label already exists.'],
	[`adam PATCH ${LIST}/1 name=${'x'.repeat(41)}`, 'name is too long (limit: 40 characters)'],
	[`adam PATCH ${LIST}/1 hint=${'x'.repeat(81)}`, 'hint is too long (limit: 80 characters)'],
	[`adam PATCH ${LIST}/1 required=1`, 'required is not a boolean'],
	[`adam PATCH ${LIST}/3 field_data={}`, 'Field must have at least one choice.'],
	[`adam PATCH ${LIST}/2 display_in_profile_summary=true`, NOT_IN_SUMMARY],
	[
		`adam PATCH ${LIST}/1 display_in_profile_summary=true`,
		'Only 2 custom profile fields can be displayed in the profile summary.',
	],
]);

story('reorderProfileFields', 'lists fields in the new order, and everybody gets an event', [
	{listen: 'alice', to: EVENT},
	[`adam PATCH ${LIST} order=[9,8,7,6,5,4,3,2,1]`, {}],
	[`alice GET ${LIST}`, {custom_fields: ids(9, 8, 7, 6, 5, 4, 3, 2, 1)}],
	{
		heard: 'alice',
		events: [{type: EVENT, fields: [like({id: 9, order: 0}), ...ids(8, 7, 6, 5, 4, 3, 2, 1)]}],
	},
]);

answers('reorderProfileFields', {
	'refuses an order without all fields': [`adam PATCH ${LIST} order=[1,2]`, 'Invalid order mapping.'],
	'refuses what is not a list': [`adam PATCH ${LIST} order=1`, 'order is not a list'],
	'needs an order': [`adam PATCH ${LIST}`, missingArgument('order')],
	'refuses members': [`alice PATCH ${LIST} order=[]`, NOT_ADMINISTRATOR],
});

story('deleteProfileField', 'deletes a field with its values, and everybody gets an event', [
	{listen: 'alice', to: EVENT},
	[`adam DELETE ${LIST}/6`, {}],
	[`alice GET ${LIST}`, {custom_fields: ids(1, 2, 3, 4, 5, 7, 8, 9)}],
	profile('alice', 5, {
		1: {value: 'Second floor', rendered_value: '<p>Second floor</p>'},
		5: {value: 'https://bob.bothy.example/'},
	}),
	{heard: 'alice', events: [{type: EVENT, fields: ids(1, 2, 3, 4, 5, 7, 8, 9)}]},
]);

answers('deleteProfileField', {
	'refuses an unknown field': [`adam DELETE ${LIST}/99`, 'Field id 99 not found.'],
	'refuses members': [`alice DELETE ${LIST}/1`, NOT_ADMINISTRATOR],
});

const MINE = '/api/v1/users/me/profile_data';
const NOT_EDITABLE = 'You are not allowed to change this field. Contact an administrator to update it.';
const NO_BOTS = 'This endpoint does not accept bot requests.';
const ROOF = {value: 'Roof', rendered_value: '<p>Roof</p>'};
const changed = (user_id: number, field: Expected) => ({
	type: 'realm_user',
	op: 'update',
	person: {user_id, custom_profile_field: field},
});

story('updateProfileData', "changes the caller's profile, and tells everybody", [
	{listen: 'bob', to: 'realm_user'},
	[`gus PATCH ${MINE} data=[{"id":4,"value":"1999-12-31"},{"id":6,"value":null},{"id":1,"value":"Roof"}]`, {}],
	profile('bob', 7, {1: ROOF, 4: {value: '1999-12-31'}}),
	{
		heard: 'bob',
		events: [changed(7, {id: 4, value: '1999-12-31'}), changed(7, {id: 6, value: null}), changed(7, {id: 1, ...ROOF})],
	},
]);

story('updateProfileData', 'lets only administrators change some fields', [
	[`alice PATCH ${MINE} data=[{"id":9,"value":"0002"}]`, NOT_EDITABLE],
	[`adam PATCH ${MINE} data=[{"id":9,"value":"0002"}]`, {}],
	profile('alice', 2, {7: {value: 'adam-addo'}, 9: {value: '0002', rendered_value: '<p>0002</p>'}}),
]);

story('updateProfileData', 'refuses bad values, and changes nothing', [
	[`bob PATCH ${MINE}`, missingArgument('data')],
	[`bob PATCH ${MINE} data=5`, 'data is not a list'],
	[`bob PATCH ${MINE} data=[{"id":99,"value":"x"}]`, 'Field id 99 not found.'],
	[`bob PATCH ${MINE} data=[{"id":1,"value":"Roof"},{"id":5,"value":"x"}]`, 'Homepage is not a URL'],
	[`echo-bot PATCH ${MINE} data=[]`, NO_BOTS],
	profile('bob', 5, {
		1: {value: 'Second floor', rendered_value: '<p>Second floor</p>'},
		5: {value: 'https://bob.bothy.example/'},
		6: {value: '[3,4]'},
	}),
]);

story('removeProfileData', "removes values from the caller's profile, and tells everybody once", [
	{listen: 'alice', to: 'realm_user'},
	[`bob DELETE ${MINE} data=[1,5,2]`, {}],
	profile('alice', 5, {6: {value: '[3,4]'}}),
	{heard: 'alice', events: [changed(5, {id: 1, value: null}), changed(5, {id: 5, value: null})]},
]);

story('removeProfileData', 'refuses bad values, and changes nothing', [
	[`alice DELETE ${MINE}`, missingArgument('data')],
	[`alice DELETE ${MINE} data=1`, 'data is not a list'],
	[`alice DELETE ${MINE} data=["x"]`, 'data[0] is not an integer'],
	[`alice DELETE ${MINE} data=[1,99]`, 'Field id 99 not found.'],
	[`alice DELETE ${MINE} data=[1,9]`, NOT_EDITABLE],
	[`echo-bot DELETE ${MINE} data=[]`, NO_BOTS],
	profile('alice', 4, {
		1: {value: 'By the *window*', rendered_value: '<p>By the <em>window</em></p>'},
		2: {value: 'Bakes. Ask about **rye**.', rendered_value: '<p>Bakes. Ask about <strong>rye</strong>.</p>'},
		9: {value: '0004', rendered_value: '<p>0004</p>'},
	}),
]);
