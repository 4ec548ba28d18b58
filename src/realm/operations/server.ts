import {handler} from '../http/handler.js';
import {organization} from '../organization.js';
import {type Account, findAccountByEmail, isAdministrator, isBot, listAccounts} from '../people/accounts.js';
import {isPassword, logIn} from '../people/log-in.js';

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

export const devListUsers = handler('devListUsers', ({services: {store, site}}) => {
	const people = listAccounts(store).filter(account => account.is_active && !isBot(account));
	const present = ({email, full_name, role, id}: Account) => ({email, realm_url: site, full_name, role, user_id: id});

	return {
		direct_admins: people.filter(isAdministrator).map(present),
		direct_users: people.filter(account => !isAdministrator(account)).map(present),
	};
});

export const devFetchApiKey = handler('devFetchApiKey', ({services: {store}, parameters}) =>
	logIn(store, parameters.username),
);

export const fetchApiKey = handler('fetchApiKey', ({services: {store}, parameters: {username, password}}) => {
	const account = findAccountByEmail(store, username);
	const isProved = isPassword(password) && account !== undefined && !isBot(account);
	return logIn(store, username, isProved);
});
