// Masks secrets in what is recorded.

import type {Account} from '../people/accounts.js';

const MASK = '***';

const NAMES = '(?:webhook_|old_|new_|bot_)?(?:token|api_key|password|secret|authorization)';
const IN_JSON = new RegExp(`("${NAMES}"\\s*:\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|[^\\s,}\\]]+)`, 'gi');
const IN_FORM = new RegExp(`((?:^|[?&])${NAMES}=)[^&\\s]*`, 'gi');

/** Masks fields whose name says that they are secret, and the bot's own token and key wherever they are. */
export function maskSecrets(text: string, {email, api_key: key, webhook_token: token}: Account): string {
	const named = text.replaceAll(IN_JSON, `$1"${MASK}"`).replaceAll(IN_FORM, `$1${MASK}`);
	const basic = Buffer.from(`${email}:${key}`).toString('base64');
	return [basic, key, ...(token ? [token] : [])].reduce((masked, secret) => masked.replaceAll(secret, MASK), named);
}
