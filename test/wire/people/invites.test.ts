import {clientCalls} from '../kit/client-calls.js';
import {answers, each, like, missingArgument, refusal, story} from '../kit/story.js';

clientCalls('getInvites', {
	'reads invitations and links': [
		{},
		'GET /api/v1/invites',
		'"invites":[{"email":"zoe@example.com","id":1,"invited":1710606654,' +
			'"invited_as":200,"invited_by_user_id":9,"is_multiuse":false,"expiry_date":null},{"id":2,"invited":1710606589,' +
			'"invited_as":400,"invited_by_user_id":9,"is_multiuse":true,"link_url":"https://x.example/join/yddh/","expiry_date":5}]',
	],
});

clientCalls('sendInvites', {
	'writes addresses as text, and everything else as JSON': [
		{
			invitee_emails: 'zoe@example.com,yan@example.com',
			stream_ids: [1, 10],
			invite_as: 600,
			invite_expires_in_minutes: null,
			notify_referrer_on_join: false,
			include_realm_default_subscriptions: true,
			group_ids: [7],
		},
		'POST /api/v1/invites invitee_emails=zoe%40example.com%2Cyan%40example.com&stream_ids=%5B1%2C10%5D&invite_as=600&invite_expires_in_minutes=null&notify_referrer_on_join=false&include_realm_default_subscriptions=true&group_ids=%5B7%5D',
	],
});

clientCalls('createInviteLink', {
	'reads the link': [
		{stream_ids: [1], invite_as: 400, invite_expires_in_minutes: 60},
		'POST /api/v1/invites/multiuse stream_ids=%5B1%5D&invite_as=400&invite_expires_in_minutes=60',
		'"invite_link":"https://x.example/join/yddh/"',
	],
});

clientCalls('resendEmailInvite', {
	'writes the ID in the path': [{invite_id: 9}, 'POST /api/v1/invites/9/resend'],
});

clientCalls('revokeEmailInvite', {
	'writes the ID in the path': [{invite_id: 9}, 'DELETE /api/v1/invites/9'],
});

clientCalls('revokeInviteLink', {
	'writes the ID in the path': [{invite_id: 9}, 'DELETE /api/v1/invites/multiuse/9'],
});

const [ALICE, OLIVIA] = [4, 1];
const SEND = 'POST /api/v1/invites stream_ids=[1]&invitee_emails=';
const LINK = 'POST /api/v1/invites/multiuse';
const ZOE = {
	id: '$zoe',
	email: 'zoe@example.com',
	invited_by_user_id: ALICE,
	invited: '<integer>',
	expiry_date: '<integer>',
	invited_as: 400,
	notify_referrer_on_join: true,
	is_multiuse: false,
} as const;
const UNKNOWN = 'No such invitation';
const NOT_ADMINISTRATOR = 'Must be an organization administrator';
const NOT_OWNER = refusal('400 Bad Request', 'Must be an organization owner', {code: 'UNAUTHORIZED_PRINCIPAL'});

story('sendInvites', 'keeps an invitation until its inviter revokes it, and administrators get an event', [
	{listen: 'adam', to: 'invites_changed'},
	{listen: 'bob', to: 'invites_changed'},
	[`alice ${SEND}Zoe <zoe@example.com>`, {}],
	['alice GET /api/v1/invites', {invites: [ZOE]}],
	['bob GET /api/v1/invites', {invites: []}],
	['adam GET /api/v1/invites', {invites: [ZOE]}],
	['bob DELETE /api/v1/invites/$zoe', NOT_ADMINISTRATOR],
	['bob POST /api/v1/invites/$zoe/resend', NOT_ADMINISTRATOR],
	['alice POST /api/v1/invites/$zoe/resend', {}],
	['alice DELETE /api/v1/invites/multiuse/$zoe', UNKNOWN],
	['alice DELETE /api/v1/invites/$zoe', {}],
	['alice DELETE /api/v1/invites/$zoe', UNKNOWN],
	['alice POST /api/v1/invites/$zoe/resend', UNKNOWN],
	['alice GET /api/v1/invites', {invites: []}],
	{heard: 'adam', events: [{type: 'invites_changed'}, {type: 'invites_changed'}]},
	{heard: 'bob', events: []},
]);

story('sendInvites', 'forgets an invitation that expired, and one of a person who has an account', [
	[`alice ${SEND}zoe@example.com&invite_expires_in_minutes=1`, {}],
	[`alice ${SEND}yan@example.com&invite_expires_in_minutes=null`, {}],
	{advanceMs: 61_000},
	['alice GET /api/v1/invites', {invites: [like({email: 'yan@example.com', expiry_date: null})]}],
	['olivia POST /api/v1/users email=YAN@example.com&password=x&full_name=Yan', like({user_id: '<integer>'})],
	['alice GET /api/v1/invites', {invites: []}],
]);

const failed = (msg: string, sent_invitations: boolean, ...errors: ReadonlyArray<readonly [string, string, boolean]>) =>
	refusal('400 Bad Request', msg, {
		code: 'INVITATION_FAILED',
		errors,
		sent_invitations,
		license_limit_reached: false,
		daily_limit_reached: false,
	});

story('sendInvites', 'names the addresses that it did not invite', [
	[
		`alice ${SEND}zoe@example.com,nonsense`,
		failed("Some emails did not validate, so we didn't send any invitations.", false, [
			'nonsense',
			'Invalid address.',
			false,
		]),
	],
	['alice GET /api/v1/invites', {invites: []}],
	[
		`alice ${SEND}bob@bothy.example`,
		failed("We weren't able to invite anyone.", false, ['bob@bothy.example', 'Already has an account.', false]),
	],
	[
		`alice ${SEND}bob@bothy.example,zoe@example.com`,
		failed(
			"Some of those addresses are already using Zulip, so we didn't send them an invitation. " +
				'We did send invitations to everyone else!',
			true,
			['bob@bothy.example', 'Already has an account.', false],
		),
	],
	['alice GET /api/v1/invites', {invites: [ZOE]}],
]);

answers('sendInvites', {
	'refuses a guest': [`gus ${SEND}zoe@example.com`, 'Not allowed for guest users'],
	'refuses a bot': [`echo-bot ${SEND}zoe@example.com`, 'This endpoint does not accept bot requests.'],
	'needs addresses': ['alice POST /api/v1/invites stream_ids=[]', missingArgument('invitee_emails')],
	'needs channels': ['alice POST /api/v1/invites invitee_emails=zoe@example.com', missingArgument('stream_ids')],
	'takes no channels': ['alice POST /api/v1/invites stream_ids=[]&invitee_emails=zoe@example.com', {}],
	'refuses no addresses': [`alice ${SEND}`, 'You must specify at least one email address.'],
	'refuses an unknown role': [
		`alice ${SEND}zoe@example.com&invite_as=5`,
		'Invalid invite_as: Value error, Not in the list of possible values',
	],
	'lets members invite no moderator': [`alice ${SEND}zoe@example.com&invite_as=300`, NOT_ADMINISTRATOR],
	'lets administrators invite no owner': [`adam ${SEND}zoe@example.com&invite_as=100`, NOT_OWNER],
	'refuses a hidden channel': [
		'alice POST /api/v1/invites stream_ids=[4]&invitee_emails=zoe@example.com',
		'Invalid channel ID 4. No invites were sent.',
	],
	'refuses an unknown group': [`alice ${SEND}zoe@example.com&group_ids=[999]`, 'Invalid user group'],
});

story('createInviteLink', 'keeps a link until an administrator revokes it', [
	[`alice ${LINK}`, 'Insufficient permission'],
	[`olivia ${LINK} invite_as=100&invite_expires_in_minutes=null`, {invite_link: /^http:\/\/\S+\/join\/\w{32}\/$/}],
	[
		'olivia GET /api/v1/invites',
		{
			invites: [
				{
					id: '$link',
					invited_by_user_id: OLIVIA,
					invited: '<integer>',
					expiry_date: null,
					invited_as: 100,
					is_multiuse: true,
					link_url: '<string>',
				},
			],
		},
	],
	['alice DELETE /api/v1/invites/multiuse/$link', NOT_OWNER],
	['adam DELETE /api/v1/invites/multiuse/$link', NOT_OWNER],
	['olivia DELETE /api/v1/invites/$link', UNKNOWN],
	['olivia DELETE /api/v1/invites/multiuse/$link', {}],
	['olivia DELETE /api/v1/invites/multiuse/$link', 'Invitation has already been revoked'],
	['olivia GET /api/v1/invites', {invites: []}],
]);

story('createInviteLink', 'refuses what sendInvites refuses', [
	...each(`adam ${LINK} `, {
		'invite_as=100': NOT_OWNER,
		'stream_ids=[999]': 'Invalid channel ID 999. No invites were sent.',
		'group_ids=[999]': 'Invalid user group',
		'invite_expires_in_minutes=x': 'invite_expires_in_minutes is not valid JSON',
	}),
	[`gus ${LINK}`, 'Not allowed for guest users'],
	['gus GET /api/v1/invites', 'Not allowed for guest users'],
	['gus DELETE /api/v1/invites/multiuse/1', 'Not allowed for guest users'],
]);

for (const [operation, request] of [
	['getInvites', 'GET /api/v1/invites'],
	['resendEmailInvite', 'POST /api/v1/invites/1/resend'],
	['revokeEmailInvite', 'DELETE /api/v1/invites/1'],
	['revokeInviteLink', 'DELETE /api/v1/invites/multiuse/1'],
] as const) {
	story(operation, 'is for people who are no guests', [
		[`gus ${request}`, 'Not allowed for guest users'],
		[`echo-bot ${request}`, 'This endpoint does not accept bot requests.'],
		[`alice ${request}`, operation === 'getInvites' ? {invites: []} : UNKNOWN],
	]);
}

story('resendEmailInvite', 'is possible for the inviter and administrators, as is revokeEmailInvite', [
	[`alice ${SEND}zoe@example.com`, {}],
	['alice GET /api/v1/invites', {invites: [ZOE]}],
	['adam POST /api/v1/invites/$zoe/resend', {}],
	['adam DELETE /api/v1/invites/$zoe', {}],
]);

story('revokeEmailInvite', 'ends an invitation', [
	[`alice ${SEND}zoe@example.com`, {}],
	['alice GET /api/v1/invites', {invites: [ZOE]}],
	['alice DELETE /api/v1/invites/$zoe', {}],
	['alice GET /api/v1/invites', {invites: []}],
]);

story('revokeInviteLink', 'ends a link', [
	[`adam ${LINK}`, {invite_link: '<string>'}],
	['adam GET /api/v1/invites', {invites: [like({id: '$link', is_multiuse: true})]}],
	['adam DELETE /api/v1/invites/multiuse/$link', {}],
	['adam GET /api/v1/invites', {invites: []}],
]);

story('getInvites', 'lists emails before links', [
	[`adam ${LINK}`, {invite_link: '<string>'}],
	[`adam ${SEND}zoe@example.com`, {}],
	['olivia GET /api/v1/invites', {invites: [like({is_multiuse: false}), like({is_multiuse: true})]}],
]);
