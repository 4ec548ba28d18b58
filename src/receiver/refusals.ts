// Counts refused webhooks: a client may be guessing tokens, or a token may be stale.

/** Whose webhooks were refused, and from where. */
interface Refusal {
	readonly address: string;
	readonly bot: string;
}

/** What to do about them. */
export const CURE =
	"Copy `token` from the bot's zuliprc into its section, and reload. An unknown bot needs a section, or its URL on the service is wrong. For `hook <section>`, compare the URL with /hooks/<section><path>, and the secret with `.http()`.";

/** How many pairs of address and bot are counted separately at a time. The others are counted together. */
const MOST_PAIRS = 20;

export interface Refusals {
	note(refusal: Refusal): void;
	/** Passes on what it has counted. */
	close(): void;
}

/** Passes on the first refusal at once, then the counts of each `everyMs`. */
export function countRefusals(
	everyMs: number,
	take: (refused: readonly (Refusal & {readonly count: number})[]) => void,
): Refusals {
	let counts = new Map<string, Refusal & {count: number}>();
	let timer: NodeJS.Timeout | undefined;

	function tell(): void {
		timer = undefined;
		const refused = [...counts.values()];
		counts = new Map();
		if (refused.length > 0) {
			take(refused);
			timer = setTimeout(tell, everyMs).unref();
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
