// Sends the text later, at a time that the person chooses.

import {html} from 'htm/preact';
import {useRef, useState} from 'preact/hooks';
import {Icon} from '../frame/icons.js';

const HOUR_MS = 3_600_000;

/** @param onSchedule gets the time in seconds */
export function ScheduleButton({disabled, onSchedule}) {
	const [isOpen, setIsOpen] = useState(false);
	const when = useRef(/** @type {any} */ (null));
	const button = useRef(/** @type {any} */ (null));

	function close() {
		setIsOpen(false);
		button.current.focus();
	}

	function submit() {
		if (when.current.reportValidity()) {
			setIsOpen(false);
			onSchedule(secondsOf(when.current.value));
		}
	}

	function onKeyDown(event) {
		if (event.key === 'Escape') {
			event.stopPropagation();
			close();
		} else if (event.key === 'Enter' && event.target === when.current) {
			event.preventDefault();
			submit();
		}
	}

	return html`
		<span class="schedule" onKeyDown=${onKeyDown}>
			<button type="button" ref=${button} disabled=${disabled} aria-expanded=${isOpen} onClick=${() => setIsOpen(!isOpen)}>
				<${Icon} name="clock" /> Send later
			</button>
			${
				isOpen &&
				html`<span class="picker later-picker" role="group" aria-label="Send later">
					<input ref=${when} type="datetime-local" aria-label="When to send it" required
						min=${localTime(Date.now())} defaultValue=${localTime(Date.now() + HOUR_MS)} />
					<button type="button" class="primary" onClick=${submit}>Schedule</button>
					<button type="button" onClick=${close}>Cancel</button>
				</span>`
			}
		</span>
	`;
}

/** As `datetime-local` writes it, in the reader's zone. */
export function localTime(ms) {
	const date = new Date(ms);
	return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function secondsOf(localTimeText) {
	return Math.floor(new Date(localTimeText).getTime() / 1000);
}
