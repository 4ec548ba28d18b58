// What was not sent yet: drafts, and messages with a time.

import {html} from 'htm/preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {placeOfDraft, placeOfScheduled} from '../chat/later.js';
import {placeName} from '../chat/names.js';
import {hashOf, keyOf} from '../chat/places.js';
import {writeDraft} from '../compose/drafts.js';
import {localTime, secondsOf} from '../compose/schedule.js';
import {Icon} from './icons.js';

export function Later({state, chat, onClose}) {
	const dialog = useRef(/** @type {any} */ (null));
	useEffect(() => dialog.current.showModal(), []);

	function restore(draft) {
		const place = placeOfDraft(draft, state.me);
		onClose();
		if (state.openPlace && keyOf(place) === keyOf(state.openPlace)) {
			chat.insert(draft.content);
			return;
		}

		writeDraft(state.me.email, keyOf(place), draft.content);
		location.hash = hashOf(place, state.channels);
	}

	return html`
		<dialog class="later" ref=${dialog} onClose=${onClose} aria-labelledby="later-title">
			<header>
				<h2 id="later-title">Not sent yet</h2>
				<button type="button" aria-label="Close" onClick=${onClose}><${Icon} name="close" /></button>
			</header>
			<h3>Scheduled</h3>
			<ul>
				${state.scheduled.map(one => html`<${Scheduled} key=${one.scheduled_message_id} ...${{state, chat, one}} />`)}
				${state.scheduled.length === 0 && html`<li class="empty">Nothing is scheduled.</li>`}
			</ul>
			<h3>Drafts</h3>
			<ul>
				${state.drafts.map(
					draft => html`<li key=${draft.id}>
						<p class="where" dir="auto">${placeName(state, placeOfDraft(draft, state.me))}</p>
						<p class="text" dir="auto">${draft.content}</p>
						<p>
							<button type="button" onClick=${() => restore(draft)}>Restore</button>
							<button type="button" onClick=${() => chat.deleteDraft(draft)}>Delete</button>
						</p>
					</li>`,
				)}
				${state.drafts.length === 0 && html`<li class="empty">There are no drafts.</li>`}
			</ul>
		</dialog>
	`;
}

function Scheduled({state, chat, one}) {
	const [isChanging, setIsChanging] = useState(false);
	const when = useRef(/** @type {any} */ (null));
	const text = useRef(/** @type {any} */ (null));
	const {scheduled_delivery_timestamp: timestamp, content, failed} = one;

	async function save(event) {
		event.preventDefault();
		const time = secondsOf(when.current.value);
		if (await chat.reschedule(one, {content: text.current.value, scheduled_delivery_timestamp: time})) {
			setIsChanging(false);
		}
	}

	if (isChanging) {
		return html`
			<li>
				<form onSubmit=${save}>
					<input ref=${when} type="datetime-local" required aria-label="When to send it" min=${localTime(Date.now())} defaultValue=${localTime(timestamp * 1000)} />
					<textarea ref=${text} required aria-label="Text" dir="auto" defaultValue=${content}></textarea>
					<button type="submit" class="primary">Save</button>
					<button type="button" onClick=${() => setIsChanging(false)}>Discard changes</button>
				</form>
			</li>
		`;
	}

	return html`
		<li>
			<p class="where">
				<bdi>${placeName(state, placeOfScheduled(one, state.me))}</bdi>,
				<time datetime=${new Date(timestamp * 1000).toISOString()}> ${new Date(timestamp * 1000).toLocaleString(undefined, {dateStyle: 'medium', timeStyle: 'short'})}</time>
				${failed && html`<span class="error">The realm could not send this message.</span>`}
			</p>
			<p class="text" dir="auto">${content}</p>
			<p>
				<button type="button" onClick=${() => setIsChanging(true)}>Change</button>
				<button type="button" onClick=${() => chat.unschedule(one)}>Cancel</button>
			</p>
		</li>
	`;
}
