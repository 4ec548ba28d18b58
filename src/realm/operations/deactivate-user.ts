import {handler} from '../http/handler.js';
import {deactivateAccount} from '../people/deactivate.js';

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
