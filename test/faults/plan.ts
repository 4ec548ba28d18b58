// What the suite writes to the bots, what it expects to be answered, and which connections it cuts.

/** Where a connection between realm and receiver is cut. */
export const CUTS = ['request', 'before', 'middle', 'held', 'passed'] as const;
export type Cut = (typeof CUTS)[number];

export interface Planned {
	/** Stands in everything that is said about this delivery: `f0123`. */
	readonly token: string;
	readonly bot: string;
	readonly from: string;
	/** Topic of the channel `general`; undefined for a direct message. */
	readonly topic: string | undefined;
	readonly words: string;
	/** Marks that must be there once. */
	readonly expected: readonly string[];
	/** Marks that may be missing, but not be there twice. */
	readonly allowed: readonly string[];
	/** What happens to its first connections. */
	readonly cuts: readonly Cut[];
}

export interface PlanSize {
	readonly deliveries: number;
	/** Cuts of each kind, at least. */
	readonly cutsOfEach: number;
	readonly mortals: number;
	readonly freezes: number;
	/** How long slow handlers take at most, in milliseconds. */
	readonly slowestMs: number;
}

const PEOPLE = ['alice', 'bob', 'carla', 'mona', 'adam', 'olivia'];
const TOPICS = 14;
/** How often each kind of bot is asked, in 20. */
const MIX = [
	...Array.from({length: 10}, () => 'quick'),
	...Array.from({length: 5}, () => 'chatty'),
	...Array.from({length: 3}, () => 'after'),
	...Array.from({length: 2}, () => 'slow'),
];
const STEPS = ['start', 'middle', 'end'];

export function makePlan(size: PlanSize): Planned[] {
	const special = [
		...Array.from({length: size.mortals}, () => 'mortal'),
		...Array.from({length: size.freezes}, () => 'fickle'),
	];
	const specialEvery = Math.floor((size.deliveries * 0.7) / Math.max(1, special.length));
	const cuts = cutsFor(size);

	return Array.from({length: size.deliveries}, (_, index) => {
		const isSpecial = index % specialEvery === specialEvery - 1;
		const bot = (isSpecial ? special.shift() : undefined) ?? MIX[(index * 7) % MIX.length] ?? 'quick';
		const token = `f${String(index).padStart(4, '0')}`;
		return {
			token,
			bot,
			// Twenty conversations: fourteen topics, and six people directly.
			topic: index % 20 < TOPICS ? `topic ${index % 20}` : undefined,
			from: PEOPLE[(index % 20) % PEOPLE.length] ?? 'alice',
			words: `go ${token}${wordsFor(bot, index, size)}`,
			expected: marksOf(bot).map(mark => `[${token}.${mark}]`),
			allowed: bot === 'after' ? [`[${token}.after]`] : [],
			// A delivery whose handler is struck already keeps its connections: the realm gives up after four.
			cuts: ['mortal', 'fickle'].includes(bot) ? [] : (cuts[index % cuts.length] ?? []),
		};
	});
}

/** Cuts spread over the deliveries; some meet the same delivery twice. */
function cutsFor({deliveries, cutsOfEach}: PlanSize): (readonly Cut[])[] {
	const period = Math.max(CUTS.length, Math.floor((deliveries * 0.85) / Math.max(1, cutsOfEach)));
	return Array.from({length: period}, (_, index) => {
		const cut = CUTS[Math.floor((index * CUTS.length) / period)];
		const isFirstOfKind = index === 0 || CUTS[Math.floor(((index - 1) * CUTS.length) / period)] !== cut;
		return isFirstOfKind && cut ? (cut === 'held' ? [cut, 'before' as const] : [cut]) : [];
	});
}

function marksOf(bot: string): string[] {
	switch (bot) {
		case 'chatty':
			return ['1', '2', '3', 'elsewhere'];
		case 'mortal':
			return ['1', '2', 'elsewhere'];
		case 'fickle':
			return ['1', 'elsewhere'];
		default:
			return ['1'];
	}
}

function wordsFor(bot: string, index: number, {slowestMs}: PlanSize): string {
	if (bot === 'slow') {
		// Two in seven take the longest, which is later than the deadline.
		return ` wait ${Math.round(2000 + ((slowestMs - 2000) * Math.min(6, (index * 3) % 8)) / 6)}`;
	}

	return bot === 'mortal' ? ` die ${STEPS[index % STEPS.length]}` : '';
}

/** How people call a bot. */
export function titleOf(name: string): string {
	return name.charAt(0).toUpperCase() + name.slice(1);
}
