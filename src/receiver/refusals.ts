// Logs refused webhooks once a minute, with counts: a client may be guessing tokens, or a token may be stale.

/** Whose webhooks were refused, and from where. */
interface Refusal {
	readonly address: string;
	readonly bot: string;
}

const EVERY_MS = 60_000;

const CURE =
	"Copy `token` from the bot's zuliprc into its section, and reload. An unknown bot needs a section, or its URL on the service is wrong. For `hook <section>`, compare the URL with /hooks/<section><path>, and the secret with `.http()`.";

/** How many pairs of address and bot one line counts separately. The others are counted together. */
const MOST_PAIRS = 20;

export interface RefusalLog {
	note(refusal: Refusal): void;
	close(): void;
}

export function createRefusalLog(
	warn: (
		fields: {readonly refused: readonly (Refusal & {readonly count: number})[]; readonly cure: string},
		message: string,
	) => void,
): RefusalLog {
	let counts = new Map<string, Refusal & {count: number}>();
	let timer: NodeJS.Timeout | undefined;

	function tell(): void {
		timer = undefined;
		const refused = [...counts.values()];
		counts = new Map();
		if (refused.length > 0) {
			warn({refused, cure: CURE}, 'refused webhooks with an unknown bot or a wrong token');
			timer = setTimeout(tell, EVERY_MS).unref();
		}
	}

	return {
		note({address, bot}) {
			const key = `${address} ${bot}`;
			const known = counts.get(key) ?? (counts.size < MOST_PAIRS ? {address, bot, count: 0} : undefined);
			const entry = known ?? counts.get('') ?? {address: 'others', bot: 'others', count: 0};
			entry.count += 1;
			counts.set(known ? key : '', entry);
			if (!timer) {
				// The first one is logged at once.
				tell();
			}
		},
		close() {
			clearTimeout(timer);
			tell();
			clearTimeout(timer);
		},
	};
}
