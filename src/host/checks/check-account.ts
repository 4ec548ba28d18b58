// Checks whether an account matches its config section, as far as the service tells. Reports nothing if the service does not
// answer.

import type {Client} from '../../client/client.js';
import {ApiError} from '../../client/errors.js';
import type {Account} from '../../config/accounts.js';

export interface Finding {
	readonly status: 'ok' | 'warning' | 'error';
	/** What was checked, such as an account's section. */
	readonly about: string;
	readonly text: string;
	/** What to do. */
	readonly cure?: string;
	/** What kind of trouble it is, for programs. */
	readonly kind?: string;
	/** Milliseconds since 1970. */
	readonly since?: number;
	/** What it is about, by its id: a delivery of the account, or a cron. */
	readonly delivery?: string;
	readonly cron?: string;
}

/** The service's numbers for types of bots. */
const GENERIC = 1;
const OUTGOING = 3;

/** How a finding begins if the key, or the whole account, is refused. */
export const REFUSED = 'The service refuses the account';

/** Length of the service's tokens. */
const TOKEN_LENGTH = 32;

const CURE =
	"Copy `email`, `key` and `site` from the bot's zuliprc. If the account is deactivated, reactivate it in the organization's settings.";

/** Returns findings of level `warning` and `error` only. */
export async function checkAccount(account: Account, client: Client): Promise<Finding[]> {
	return [...checkSection(account), ...(account.key === '' ? [] : await checkOwnUser(account, client))];
}

function checkSection({name: about, tokens, receive, forward}: Account): Finding[] {
	const findings: Finding[] = [];
	if (tokens.some(token => token.length !== TOKEN_LENGTH)) {
		findings.push({
			status: 'warning',
			about,
			text: `A token does not have ${TOKEN_LENGTH} characters`,
			cure: "Copy `token` from the zuliprc that the bot's settings let you download.",
		});
	}

	if (receive === 'events' && forward !== undefined) {
		findings.push({
			status: 'warning',
			about,
			text: '`receive = events` and `forward` are both set',
			cure: 'Remove one of them.',
		});
	}

	return findings;
}

async function checkOwnUser({name: about, tokens, receive}: Account, client: Client): Promise<Finding[]> {
	try {
		const {is_bot: isBot, bot_type: type, is_active: isActive} = await client.getOwnUser();
		const answers = tokens.length > 0 || receive === 'events';
		const isPolled = receive === 'events';
		const wrong =
			isActive === false
				? ['The account is deactivated', "Reactivate it in the organization's settings, or remove its section."]
				: !isBot && answers
					? [
							"This is a person's account, and a bot answers in that person's name",
							"Create a bot and use its email, key and token. A person's section needs `presence` at most.",
						]
					: isPolled && type === OUTGOING
						? [
								'An outgoing-webhook bot with `receive = events`: people read "Failure! Bot is unavailable"',
								'Remove `receive`, or create a generic bot for this section.',
							]
						: !isPolled && tokens.length > 0 && type === GENERIC
							? [
									'A generic bot gets no webhooks, so it never answers',
									'Create an outgoing-webhook bot, or set `receive = events`.',
								]
							: undefined;
		const [text = '', cure = ''] = wrong ?? [];
		return wrong ? [{status: 'error', about, text, cure}] : [];
	} catch (error) {
		if (!(error instanceof ApiError) || error.status === 429) {
			return [];
		}

		const text = `${REFUSED}: ${error.reason} (${error.code})`;
		return [{status: 'error', about, text, cure: CURE}];
	}
}
