import {handler} from '../../http/handler.js';
import {checkInvite, createLink, inviteByEmail, listInvites, revokeInvite} from '../../invites/invites.js';
import {checkNoGuest} from '../../people/bots/own-bots.js';

export const getInvites = handler('getInvites', ({services, caller}) => {
	checkNoGuest(caller);
	return {invites: listInvites(services, caller)};
});

export const sendInvites = handler('sendInvites', ({services, caller, parameters}) => {
	checkNoGuest(caller);
	inviteByEmail(services, caller, parameters);
	return {};
});

export const createInviteLink = handler('createInviteLink', ({services, caller, parameters}) => {
	checkNoGuest(caller);
	return {invite_link: createLink(services, caller, parameters)};
});

export const resendEmailInvite = handler('resendEmailInvite', ({services, caller, parameters}) => {
	checkNoGuest(caller);
	checkInvite(services.store, caller, parameters.invite_id);
	return {};
});

export const revokeEmailInvite = handler('revokeEmailInvite', ({services, caller, parameters}) => {
	checkNoGuest(caller);
	revokeInvite(services, caller, parameters.invite_id, 'email');
	return {};
});

export const revokeInviteLink = handler('revokeInviteLink', ({services, caller, parameters}) => {
	checkNoGuest(caller);
	revokeInvite(services, caller, parameters.invite_id, 'link');
	return {};
});
