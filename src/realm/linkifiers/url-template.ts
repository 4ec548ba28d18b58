// URL templates (RFC 6570), without the modifiers for lists and prefixes.

interface Expansion {
	readonly first: string;
	readonly separator: string;
	/** Whether values have names, as in `?name=value`. */
	readonly isNamed?: boolean;
	/** Whether a value may contain reserved characters, such as slashes. */
	readonly isReserved?: boolean;
	/** What follows the name of an empty value. */
	readonly whenEmpty?: string;
}

const expansions: Readonly<Record<string, Expansion>> = {
	'': {first: '', separator: ','},
	'+': {first: '', separator: ',', isReserved: true},
	'#': {first: '#', separator: ',', isReserved: true},
	'.': {first: '.', separator: '.'},
	'/': {first: '/', separator: '/'},
	';': {first: ';', separator: ';', isNamed: true, whenEmpty: ''},
	'?': {first: '?', separator: '&', isNamed: true, whenEmpty: '='},
	'&': {first: '&', separator: '&', isNamed: true, whenEmpty: '='},
};

const expression = /\{([+#./;?&]?)(\w+(?:,\w+)*)\}/g;

export function expandUrlTemplate(template: string, values: Readonly<Record<string, string | undefined>>): string {
	return template.replaceAll(expression, (_, operator: string, names: string) => {
		const {first, separator, ...how} = expansions[operator] ?? {first: '', separator: ','};
		const parts = names.split(',').flatMap(name => {
			const value = values[name];
			return value === undefined ? [] : [part(name, value, how)];
		});
		return parts.length > 0 ? first + parts.join(separator) : '';
	});
}

/** The names in a template. Undefined if the template is invalid. */
export function variablesOf(template: string): string[] | undefined {
	const isValid = !/[{}]/.test(template.replaceAll(expression, ''));
	return isValid ? [...template.matchAll(expression)].flatMap(([, , names = '']) => names.split(',')) : undefined;
}

function part(name: string, value: string, how: Omit<Expansion, 'first' | 'separator'>): string {
	const text = how.isReserved ? encodeURI(value).replaceAll('%5B', '[').replaceAll('%5D', ']') : encode(value);
	if (!how.isNamed) {
		return text;
	}

	return text === '' ? name + (how.whenEmpty ?? '') : `${name}=${text}`;
}

/** Escapes everything but letters, digits and `-._~`. */
function encode(value: string): string {
	return encodeURIComponent(value).replaceAll(/[!'()*]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
