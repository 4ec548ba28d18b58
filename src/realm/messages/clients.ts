// The name of the program that sent a message (service-facts.md 1.4).

const fullClients = new Set([
	'zulipandroid',
	'zulipios',
	'zulipdesktop',
	'zulipmobile',
	'zulipelectron',
	'zulipterminal',
	'snipe',
	'website',
	'ios',
	'android',
]);

/** Programs in which a person's own messages count as read. */
export function isFullClient(name: string): boolean {
	return fullClients.has(name.toLowerCase());
}

/** The name in a User-Agent header: everything before the first slash, bracket, or digit after a space. */
export function clientName(userAgent: string): string {
	const name = userAgent.split(/[/(]| (?=\d)/)[0]?.trim();
	return (name || 'Unspecified').slice(0, 30);
}
