// Removes a bot's own mention from a message, anywhere outside code (service-facts.md 7.5).

export interface MentionedBot {
	/** The bot's name in this payload. Bots may be renamed. */
	readonly fullName: string;
	/** HTML of the message. It shows who a mention by ID alone refers to. */
	readonly renderedContent?: string | undefined;
}

const CODE = /(^|\n)(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n\2[^\n]*|$)|(`+)[\s\S]*?\3/g;

/** The text without the bot's mention, trimmed. A comma or colon after a leading mention is removed too. */
export function stripMention(text: string, bot: MentionedBot): string {
	// Most messages have one mention at the start, or none.
	if (!text.includes('@**')) {
		return text.trim();
	}

	const {leading, anywhere} = patternsOf(mentionOf(bot));
	const withoutLeading = text.replace(leading, '');

	let stripped = '';
	let from = 0;
	for (const code of withoutLeading.matchAll(CODE)) {
		stripped += withoutMention(withoutLeading.slice(from, code.index), anywhere) + code[0];
		from = code.index + code[0].length;
	}

	return (stripped + withoutMention(withoutLeading.slice(from), anywhere)).trim();
}

/** Leaves a space if the words around the mention would otherwise join, possibly into another mention. */
function withoutMention(text: string, mention: RegExp): string {
	return text.replace(mention, (found, offset: number) => {
		const isJoining =
			offset > 0 && /\S/.test(text[offset - 1] as string) && /\S/.test(text[offset + found.length] ?? ' ');
		return isJoining ? ' ' : '';
	});
}

interface Patterns {
	readonly leading: RegExp;
	readonly anywhere: RegExp;
}

/** Cached, because compiling them costs more than using them. There are few: a bot has one name. */
const patterns = new Map<string, Patterns>();

function patternsOf(mention: string): Patterns {
	const known = patterns.get(mention);
	if (known) {
		return known;
	}

	const made = {
		leading: new RegExp(`^\\s*(?:${mention})[,:]?\\s*`, 'iu'),
		anywhere: new RegExp(`(?:${mention})[^\\S\\n]?`, 'giu'),
	};
	if (patterns.size >= 1_000) {
		patterns.clear();
	}

	patterns.set(mention, made);
	return made;
}

function mentionOf({fullName, renderedContent = ''}: MentionedBot): string {
	const name = escapeRegExp(fullName);
	const ids = [...renderedContent.matchAll(/<span class="user-mention" data-user-id="(\d+)">@([^<]*)<\/span>/g)]
		.filter(([, , shown]) => unescapeHtml(shown ?? '').toLowerCase() === fullName.toLowerCase())
		.map(([, id]) => id);
	const byId = ids.length > 0 ? `|\\|(?:${ids.join('|')})` : '';
	return `@\\*\\*(?:${name}(?:\\|\\d+)?${byId})\\*\\*`;
}

function escapeRegExp(text: string): string {
	return text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
}

function unescapeHtml(html: string): string {
	return html.replace(/&(amp|lt|gt|quot|#39);/g, entity => ENTITIES[entity] ?? entity);
}

const ENTITIES: Record<string, string> = {'&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'"};
