import {effects, unlessRefused} from './effect.js';
import type {World} from './world.js';

const MINUTE = 60;

async function listed({adam}: World) {
	const {invites} = await adam.getInvites();
	return invites.map(({invited = 0, expiry_date, invited_as, notify_referrer_on_join}) => ({
		seconds: expiry_date ? expiry_date - invited : expiry_date,
		invited_as,
		notify_referrer_on_join,
	}));
}

const usual = {seconds: 14_400 * MINUTE, invited_as: 400};
const mail = {...usual, notify_referrer_on_join: true};
const link = {...usual, notify_referrer_on_join: undefined};

export const invites = [
	...effects(
		'sendInvites',
		{
			invite_as: [600, undefined, [{...mail, invited_as: 600}], [mail]],
			invite_expires_in_minutes: [null, 1, [{...mail, seconds: null}], [{...mail, seconds: MINUTE}]],
			notify_referrer_on_join: [false, undefined, [{...mail, notify_referrer_on_join: false}], [mail]],
			group_ids: [[999], undefined, [], [mail]],
		},
		async (world, given) => {
			await unlessRefused(world.adam.sendInvites({invitee_emails: 'zoe@example.com', stream_ids: [], ...given}));
			return listed(world);
		},
	),
	...effects(
		'createInviteLink',
		{
			invite_as: [600, undefined, [{...link, invited_as: 600}], [link]],
			invite_expires_in_minutes: [null, 1, [{...link, seconds: null}], [{...link, seconds: MINUTE}]],
			group_ids: [[999], undefined, [], [link]],
			stream_ids: [[999], [1], [], [link]],
		},
		async (world, given) => {
			await unlessRefused(world.adam.createInviteLink(given));
			return listed(world);
		},
	),
];
