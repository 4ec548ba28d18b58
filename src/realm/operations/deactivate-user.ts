import {handler} from '../http/handler.js';
import {deactivateAccount} from '../people/deactivate.js';

export const deactivateUser = handler('deactivateUser', ({services, caller, parameters}) => {
	const {user_id: id, deactivation_notification_comment: comment, actions} = parameters;
	deactivateAccount(services, caller, {
		id,
		comment,
		leftovers: actions && {
			profile: actions.delete_profile,
			publicMessages: actions.delete_public_channel_messages,
			privateMessages: actions.delete_private_channel_messages,
			directMessages: actions.delete_direct_messages,
		},
	});

	return {};
});
