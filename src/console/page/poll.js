// Reads something again and again while somebody looks.

import {useCallback, useEffect, useRef, useState} from 'preact/hooks';
import {api} from './api.js';

const EVERY_MS = 2_000;

/** `data` is the latest answer, which was read at `readAt`. Where `error` is set, a later call has failed. */
export function usePoll(path, query, {onSignedOut}) {
	const key = JSON.stringify([path, query]);
	const [found, setFound] = useState({key: '', data: undefined, readAt: undefined, error: undefined});
	const current = useRef(key);
	current.current = key;
	// An answer may overtake an earlier one.
	const calls = useRef({last: 0, shown: 0});

	const read = useCallback(async () => {
		const call = ++calls.current.last;
		const set = change => {
			if (current.current === key && call > calls.current.shown) {
				calls.current.shown = call;
				setFound(before => ({...(before.key === key ? before : {}), key, ...change}));
			}
		};
		try {
			set({data: await api.get(path, query), readAt: Date.now(), error: undefined});
		} catch (error) {
			if (error.status === 401) {
				onSignedOut('Your session has ended. Sign in again.');
			} else {
				set({error});
			}
		}
	}, [key, onSignedOut]);

	useEffect(() => {
		let timer;
		let isOver = false;
		const next = async () => {
			clearTimeout(timer);
			if (!document.hidden) {
				await read();
			}

			if (!isOver) {
				clearTimeout(timer);
				timer = setTimeout(next, EVERY_MS);
			}
		};
		next();
		document.addEventListener('visibilitychange', next);
		return () => {
			isOver = true;
			clearTimeout(timer);
			document.removeEventListener('visibilitychange', next);
		};
	}, [read]);

	const {data, readAt, error} = found.key === key ? found : {};
	return {data, readAt, error, read};
}

/** What a screen shows, and what came of the last action. Each action reads the screen again. */
export function useScreen(path, {onSignedOut}) {
	const {read, ...found} = usePoll(path, {}, {onSignedOut});
	const [outcome, setOutcome] = useState(null);
	function onDone(result) {
		setOutcome(result);
		read();
	}

	return {...found, outcome, onDone};
}
