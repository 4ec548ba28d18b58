// Emoji as the realm names them, and as people see them.

/** Offered first. Everything else can be named. */
export const common = [
	['1f44d', '+1'],
	['1f44e', '-1'],
	['2764', 'heart'],
	['1f389', 'tada'],
	['1f600', 'grinning'],
	['1f602', 'joy'],
	['1f642', 'smile'],
	['1f622', 'cry'],
	['1f62e', 'open_mouth'],
	['1f914', 'thinking'],
	['1f440', 'eyes'],
	['1f64f', 'pray'],
	['2705', 'check'],
	['274c', 'cross_mark'],
	['1f680', 'rocket'],
	['1f419', 'octopus'],
].map(([emoji_code, emoji_name]) => ({emoji_code, emoji_name, reaction_type: 'unicode_emoji'}));

/** The character of a code such as `1f1e9-1f1ea`. Undefined if it is none. */
export function characterOf(code) {
	const points = String(code)
		.split('-')
		.map(hex => (/^[\da-f]{2,6}$/i.test(hex) ? Number.parseInt(hex, 16) : Number.NaN));
	const isCharacter = points.length <= 12 && points.every(point => point <= 0x10_ff_ff);
	return isCharacter ? `${String.fromCodePoint(...points)}${points.length === 1 ? '\uFE0F' : ''}` : undefined;
}
