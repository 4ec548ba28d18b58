import {badRequest} from '../../errors.js';
import {handler} from '../../http/handler.js';
import {maxReceivedId} from '../../messages/rows.js';
import {findAccount, findVisibleByEmail, listAccounts} from '../../people/accounts.js';
import {createPerson} from '../../people/create.js';
import {deactivateAccount, deactivateSelf, reactivateAccount} from '../../people/deactivate.js';
import {muteUser as mute, unmuteUser as unmute} from '../../people/muted-users.js';
import {presentUser} from '../../people/present.js';
import {updateAccount} from '../../people/update.js';

export const getUsers = handler('getUsers', ({services, caller: viewer, parameters}) => {
	const {user_ids: ids, client_gravatar: clientGravatar, include_custom_profile_fields: withProfile} = parameters;
	const accounts = listAccounts(services.store).filter(
		account => !account.is_system_bot && (ids?.includes(account.id) ?? true),
	);

	return {members: accounts.map(account => presentUser(services, account, {viewer, clientGravatar, withProfile}))};
});

export const getOwnUser = handler('getOwnUser', ({services, caller}) => ({
	...presentUser(services, caller, {viewer: caller, clientGravatar: false, withProfile: true}),
	max_message_id: maxReceivedId(services.store, caller),
}));

export const getUser = handler('getUser', ({services, caller: viewer, parameters}) => {
	const {user_id: id, client_gravatar: clientGravatar, include_custom_profile_fields: withProfile} = parameters;
	const account = findAccount(services.store, id);
	if (!account) {
		throw badRequest('No such user');
	}

	return {user: presentUser(services, account, {viewer, clientGravatar, withProfile})};
});

export const getUserByEmail = handler('getUserByEmail', ({services, caller: viewer, parameters}) => {
	const {email, client_gravatar: clientGravatar, include_custom_profile_fields: withProfile} = parameters;
	const account = findVisibleByEmail(services.store, viewer, email);
	if (!account) {
		throw badRequest('No such user');
	}

	return {user: presentUser(services, account, {viewer, clientGravatar, withProfile})};
});

/** From this level on, the answer names the new user. */
const FIRST_LEVEL_WITH_ID = 30;

export const createUser = handler('createUser', ({services, caller, parameters}) => {
	const {email, full_name: name} = parameters;
	const id = createPerson(services, caller, {email: email.trim(), name: name.trim()});

	return services.featureLevel < FIRST_LEVEL_WITH_ID ? {} : {user_id: id};
});

export const updateUser = handler('updateUser', ({services, caller, parameters}) => {
	const target = findAccount(services.store, parameters.user_id);
	updateAccount(services, {caller, target, changes: parameters});
	return {};
});

export const updateUserByEmail = handler('updateUserByEmail', ({services, caller, parameters}) => {
	const target = findVisibleByEmail(services.store, caller, parameters.email);
	updateAccount(services, {caller, target, changes: parameters});
	return {};
});

export const deactivateUser = handler('deactivateUser', ({services, caller, parameters}) => {
	const {user_id: id, deactivation_notification_comment: comment, actions} = parameters;
	deactivateAccount(services, caller, {
		id,
		comment,
		leftovers: actions && {
			profile: actions.delete_profile ?? false,
			publicMessages: actions.delete_public_channel_messages ?? false,
			privateMessages: actions.delete_private_channel_messages ?? false,
			directMessages: actions.delete_direct_messages ?? false,
		},
	});

	return {};
});

export const deactivateOwnUser = handler('deactivateOwnUser', ({services, caller}) => {
	deactivateSelf(services, caller);
	return {};
});

export const reactivateUser = handler('reactivateUser', ({services, caller, parameters}) => {
	reactivateAccount(services, caller, parameters.user_id);
	return {};
});

export const muteUser = handler('muteUser', ({services, caller, parameters}) => {
	mute(services, caller, parameters.muted_user_id);
	return {};
});

export const unmuteUser = handler('unmuteUser', ({services, caller, parameters}) => {
	unmute(services, caller, parameters.muted_user_id);
	return {};
});
