// Reads something again and again while somebody looks.

import {html} from 'htm/preact';
import {useCallback, useEffect, useRef, useState} from 'preact/hooks';
import {api} from './api.js';

const EVERY_MS = 2_000;

/** `data` is the latest answer, also while a later call fails. */
export function usePoll(path, query, {onSignedOut}) {
	const key = JSON.stringify([path, query]);
	const [found, setFound] = useState({key: '', data: undefined, error: undefined});
	const current = useRef(key);
	current.current = key;

	const read = useCallback(async () => {
		try {
			const data = await api.get(path, query);
			if (current.current === key) {
				setFound({key, data, error: undefined});
			}
		} catch (error) {
			if (error.status === 401) {
				onSignedOut('Your session has ended. Sign in again.');
			} else if (current.current === key) {
				setFound(before => ({key, data: before.key === key ? before.data : undefined, error: error.message}));
			}
		}
	}, [key, onSignedOut]);

	useEffect(() => {
		let timer;
		let isOver = false;
		const next = async () => {
			if (!document.hidden) {
				await read();
			}

			if (!isOver) {
				timer = setTimeout(next, EVERY_MS);
			}
		};
		next();
		return () => {
			isOver = true;
			clearTimeout(timer);
		};
	}, [read]);

	return {data: found.key === key ? found.data : undefined, error: found.error, read};
}

/** What a screen shows, and what came of the last action. Each action reads the screen again. */
export function useScreen(path, {onSignedOut}) {
	const {data, error, read} = usePoll(path, {}, {onSignedOut});
	const [outcome, setOutcome] = useState(null);
	function onDone(result) {
		setOutcome(result);
		read();
	}

	return {data, error, outcome, onDone};
}

export function Failure({error}) {
	return error === undefined ? null : html`<p class="error" role="alert">${error}</p>`;
}

/** A button that does something on the server, and shows what came of it through `onDone`. */
export function ActionButton({action, label, name, onDone, kind = ''}) {
	const [isBusy, setBusy] = useState(false);
	async function act() {
		setBusy(true);
		try {
			onDone(await api.post('act', action), action);
		} catch (error) {
			onDone({isDone: false, text: error.message}, action);
		} finally {
			setBusy(false);
		}
	}

	return html`<button type="button" class=${kind} disabled=${isBusy} aria-label=${name} onClick=${act}>
		${isBusy ? `${label} …` : label}
	</button>`;
}

/** What came of the last action. */
export function Outcome({outcome}) {
	return html`<div class="outcome" role="status">
		${outcome && html`<p class=${outcome.isDone ? 'done' : 'error'}>${outcome.text}</p>`}
		${outcome?.output && html`<pre tabindex="0" aria-label="Output">${outcome.output}</pre>`}
	</div>`;
}
