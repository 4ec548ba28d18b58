import {handler} from '../http/handler.js';
import {organization} from '../organization.js';

export const getServerSettings = handler('getServerSettings', ({services, client}) => {
	const {name, description} = organization(services.store);

	return {
		zulip_version: services.version,
		zulip_feature_level: services.featureLevel,
		zulip_merge_base: services.version,
		push_notifications_enabled: false,
		is_incompatible: client === 'ZulipInvalid',
		authentication_methods: {dev: true, password: true},
		external_authentication_methods: [],
		email_auth_enabled: true,
		require_email_format_usernames: true,
		realm_url: services.site,
		realm_uri: services.site,
		realm_name: name,
		realm_icon: '',
		realm_description: description,
		realm_web_public_access_enabled: services.publicAccess,
	};
});
