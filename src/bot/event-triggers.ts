// What a bot declares that only an account with `receive = events` can see.

import {EVENT_TRIGGERS, type EventTrigger} from '../delivery/event-triggers.js';
import type {Bot} from './bot.js';
import type {Trigger} from './declarations.js';
import {SettingsError} from './settings.js';

type Declaring = Pick<Bot<unknown, unknown>, 'triggers' | 'events'>;

export function eventTriggersOf({triggers, events}: Declaring): readonly EventTrigger[] {
	return EVENT_TRIGGERS.filter(name => name in events || triggers.has(name as Trigger));
}

/** @throws SettingsError if the account cannot see what the bot declares. */
export function checkReceive(
	bot: Declaring,
	{name, bot: plugin, receive}: {readonly name: string; readonly bot: string; readonly receive?: 'events'},
): void {
	const declared = eventTriggersOf(bot);
	if (declared.length > 0 && receive !== 'events') {
		const calls = declared.map(trigger => `.on('${trigger}')`).join(' and ');
		throw new SettingsError(
			`[${name}]: the plugin \`${plugin}\` declares ${calls}, but the service posts only mentions and direct messages to ` +
				'webhooks. Use an account of the type *Generic bot*, and write `receive = events` instead of `token` in its section.',
		);
	}
}
