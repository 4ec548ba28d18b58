// What the page knows of bots and their exchanges. It asks the realm every second while somebody looks at it.

import {useEffect, useState} from 'preact/hooks';
import {createStore} from '../chat/store.js';
import {dev} from './dev-api.js';

const EVERY_MS = 1_000;

/** As many as the realm keeps. */
const KEPT = 500;

const empty = {
	generation: undefined,
	revision: 0,
	/** ID → exchange without bodies. */
	exchanges: new Map(),
	/** Message ID → its exchanges. Unchanged ones keep their arrays, so that only changed chips are drawn again. */
	byMessage: new Map(),
	faults: [],
	botsRevision: undefined,
	/** The answer of `GET /dev/bots`. */
	bots: undefined,
};

export const playground = createStore({...empty, isOpen: false, tab: 'wire', messageId: undefined, beside: undefined});

/** Opens the drawer, for example at a message. */
export function show(changes) {
	playground.update(state => ({...state, isOpen: true, ...changes}));
}

/** Asks at once, for example after a press of a button. */
export async function look() {
	const {revision: after, generation} = playground.get();
	const found = await dev.get(`?after=${after}`);
	if (generation !== undefined && found.generation !== generation) {
		// The realm has restarted, and counts from 1 again.
		playground.update(state => ({...state, ...empty, generation: found.generation}));
		return;
	}

	playground.update(state => take(state, found));
	const {botsRevision, bots} = playground.get();
	if (!bots || botsRevision !== bots.revision) {
		const next = await dev.get('/bots');
		playground.update(state => ({...state, bots: next}));
	}
}

function take(state, {generation, revision, exchanges: changed, faults, bots_revision: botsRevision}) {
	const isSame = JSON.stringify(faults) === JSON.stringify(state.faults);
	const known = {...state, generation, revision, faults: isSame ? state.faults : faults, botsRevision};
	if (changed.length === 0) {
		return known;
	}

	const exchanges = new Map([...state.exchanges, ...changed.map(one => [one.id, one])]);
	for (const id of [...exchanges.keys()].slice(0, Math.max(0, exchanges.size - KEPT))) {
		exchanges.delete(id);
	}

	const messages = new Set(changed.map(one => one.message_id));
	const ofMessage = id => [...exchanges.values()].filter(one => one.message_id === id);
	const byMessage = new Map([...state.byMessage, ...[...messages].map(id => [id, ofMessage(id)])]);
	return {...known, exchanges, byMessage};
}

/** Follows the realm until the component goes. */
export function useFollowing() {
	useEffect(() => {
		let isOver = false;
		let timer;
		async function follow() {
			if (document.visibilityState === 'visible') {
				// The page itself says when the realm does not answer.
				await look().catch(() => {});
			}

			if (!isOver) {
				timer = setTimeout(follow, EVERY_MS);
			}
		}

		follow();
		return () => {
			isOver = true;
			clearTimeout(timer);
		};
	}, []);
}

/** A part of what is known. The component is drawn again only if that part changes. */
export function useKnown(select, inputs = []) {
	const [part, setPart] = useState(() => select(playground.get()));
	useEffect(() => {
		const change = () => setPart(() => select(playground.get()));
		change();
		return playground.subscribe(change);
	}, inputs);
	return part;
}
