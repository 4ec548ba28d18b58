// The program that a message was sent with (service-facts.md 1.4).

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

/** People read in these what they write. */
export function isFullClient(name: string): boolean {
	return fullClients.has(name.toLowerCase());
}

/** The name in a User-Agent header: up to the first slash, bracket, or digit after a space. */
export function clientName(userAgent: string): string {
	const name = userAgent.split(/[/(]| (?=\d)/)[0]?.trim();
	return (name || 'Unspecified').slice(0, 30);
}
