// A value that changes, and its subscribers.

import {useEffect, useState} from 'preact/hooks';

export function createStore(initial) {
	let state = initial;
	const listeners = new Set();

	return {
		get: () => state,
		/** `change` takes the state and returns the next one. */
		update(change) {
			state = change(state);
			for (const listener of listeners) {
				listener();
			}
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

export function useStore(store) {
	const [state, setState] = useState(store.get);
	useEffect(() => {
		const look = () => setState(store.get());
		look();
		return store.subscribe(look);
	}, [store]);
	return state;
}
