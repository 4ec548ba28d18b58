// What does the work of an account, decided without loading its plugin.

import {join} from 'node:path';
import type {Account} from '../../config/accounts.js';
import {ConfigError} from '../../config/error.js';

/** A person has no bot: we keep drafts or presence there. A forwarded account has its bot on another host. */
export type AccountKind = 'person' | 'forwarded' | 'bot';

/**
 * `plugins` are the names of those that exist.
 *
 * @throws ConfigError if the account lacks a token or its plugin.
 */
export function kindOfAccount(account: Account, plugins: readonly string[]): AccountKind {
	const isKnown = plugins.includes(account.bot);
	const hasWebhook = account.receive !== 'events';
	if (hasWebhook && account.tokens.length === 0 && !isKnown && account.forward === undefined) {
		return 'person';
	}

	if (hasWebhook) {
		needToken(account);
	}

	if (account.forward !== undefined) {
		return 'forwarded';
	}

	if (!isKnown) {
		throw new ConfigError(missingPlugin(account, plugins));
	}

	return 'bot';
}

function placeOf({name, place}: Account): string {
	return place === undefined ? `[${name}]` : `${place}: [${name}]`;
}

function needToken(account: Account): void {
	if (account.tokens.length === 0) {
		throw new ConfigError(
			`${placeOf(account)}: expected \`token\`, found none. It verifies that a webhook comes from your service. You find it ` +
				"in the zuliprc that you can download in the bot's settings. If the service cannot reach this host, add " +
				'`receive = events` instead.',
		);
	}
}

function missingPlugin(account: Account, plugins: readonly string[]): string {
	const {bot} = account;
	const forward = 'or `forward = <URL of your present bot host>` while the bot still runs there';
	const expected = `${placeOf(account)}: expected a plugin \`${bot}\` in bots/ or BOTHY_BOTS`;
	return bot.startsWith('@')
		? `${expected}, or a package of that name. Install it with \`npm install ${bot}\`, ${forward}.`
		: `${expected}, found only: ${plugins.join(', ') || 'none'}. Add \`bot = <plugin or package>\` to the section, or the ` +
				`plugin ${join('bots', `${bot}.ts`)} (\`npx bothy new ${bot}\` makes one), ${forward}.`;
}
