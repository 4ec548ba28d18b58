// Limits wrong sign-ins: of each address, and of all together.

/** Of one address. */
const MOST = 10;

const MOST_OF_ALL = 100;

const WINDOW_MS = 5 * 60_000;

/** Remembered addresses. Beyond that, the oldest is dropped; the limit of all together still holds. */
const MOST_ADDRESSES = 1_000;

const ALL = 'all';

export interface Attempts {
	/** Seconds until this address may try again; 0 if it may now. */
	waitSeconds(address: string): number;
	failed(address: string): void;
}

export function createAttempts(now = () => performance.now()): Attempts {
	const windows = new Map<string, {since: number; count: number}>();

	function windowOf(name: string) {
		const found = windows.get(name);
		return found && now() - found.since < WINDOW_MS ? found : {since: now(), count: 0};
	}

	return {
		waitSeconds(address) {
			const full = [
				{window: windowOf(address), most: MOST},
				{window: windowOf(ALL), most: MOST_OF_ALL},
			].filter(({window, most}) => window.count >= most);
			return Math.max(0, ...full.map(({window}) => Math.ceil((window.since + WINDOW_MS - now()) / 1000)));
		},
		failed(address) {
			for (const name of [address, ALL]) {
				const {since, count} = windowOf(name);
				windows.delete(name);
				windows.set(name, {since, count: count + 1});
			}

			if (windows.size > MOST_ADDRESSES) {
				windows.delete(windows.keys().next().value ?? '');
			}
		},
	};
}
