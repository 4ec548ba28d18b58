import {operation, optional, required} from '../operation.js';
import {z} from '../zod.js';

/** An invitation by email, or a link for many people. */
const Invite = z.looseObject({
	id: z.int(),
	invited_by_user_id: z.int().optional(),
	/** When it was made, in seconds. */
	invited: z.int().optional(),
	/** Null: it does not expire. */
	expiry_date: z.int().nullable().optional(),
	/** The role of those who accept it. */
	invited_as: z.int().optional(),
	is_multiuse: z.boolean().optional(),
	/** Only of an invitation by email. */
	email: z.string().optional(),
	notify_referrer_on_join: z.boolean().optional(),
	/** Only of a link. */
	link_url: z.string().optional(),
});
export type Invite = z.infer<typeof Invite>;

const TEN_DAYS = 14_400;

const common = {
	invite_as: optional(
		z.literal([100, 200, 300, 400, 600]),
		'Role of the new users: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest',
		{default: 400},
	),
	invite_expires_in_minutes: optional(z.int().nullable(), 'Null: the invitation does not expire. Default: ten days', {
		since: 126,
		default: TEN_DAYS,
	}),
	include_realm_default_subscriptions: optional(z.boolean(), 'Whether new users also join the default channels', {
		since: 261,
		default: false,
	}),
	group_ids: optional(z.array(z.int()), 'User groups that newcomers join', {since: 322, default: []}),
};

const id = required(z.int(), 'ID of the invitation');

export const getInvites = operation({
	name: 'getInvites',
	method: 'GET',
	path: '/invites',
	about: 'List the invitations that you may revoke',
	callers: 'humans',
	parameters: {},
	result: z.looseObject({invites: z.array(Invite)}),
});

export const sendInvites = operation({
	name: 'sendInvites',
	method: 'POST',
	path: '/invites',
	about: 'Invite people by email. The local realm sends no mail, and nobody can join it through an invitation',
	callers: 'humans',
	parameters: {
		...common,
		invitee_emails: required(z.string(), 'Addresses, separated by commas or line breaks'),
		notify_referrer_on_join: optional(z.boolean(), 'Whether you get a notification when somebody accepts', {
			since: 267,
			default: true,
		}),
		stream_ids: required(z.array(z.int()), 'Channels that newcomers join'),
	},
	result: z.looseObject({}),
});

export const createInviteLink = operation({
	name: 'createInviteLink',
	method: 'POST',
	path: '/invites/multiuse',
	about: 'Create an invitation link that many people can use. In the local realm, nobody can join through it',
	callers: 'humans',
	parameters: {
		...common,
		stream_ids: optional(z.array(z.int()), 'Channels that newcomers join', {default: []}),
	},
	result: z.looseObject({invite_link: z.string()}),
});

export const resendEmailInvite = operation({
	name: 'resendEmailInvite',
	method: 'POST',
	path: '/invites/{invite_id}/resend',
	about: 'Send the email of an invitation again',
	callers: 'humans',
	parameters: {invite_id: id},
	result: z.looseObject({}),
});

export const revokeEmailInvite = operation({
	name: 'revokeEmailInvite',
	method: 'DELETE',
	path: '/invites/{invite_id}',
	about: 'Revoke an invitation by email',
	callers: 'humans',
	parameters: {invite_id: id},
	result: z.looseObject({}),
});

export const revokeInviteLink = operation({
	name: 'revokeInviteLink',
	method: 'DELETE',
	path: '/invites/multiuse/{invite_id}',
	about: 'Revoke an invitation link',
	callers: 'humans',
	parameters: {invite_id: id},
	result: z.looseObject({}),
});
