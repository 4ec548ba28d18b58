// Small parts that all screens have: failures, buttons that act, and what came of an action.

import {html} from 'htm/preact';
import {useState} from 'preact/hooks';
import {api} from './api.js';
import {clock} from './time.js';

/** Text with commands and keys in backticks. */
export function Code({text}) {
	return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code key=${index}>${part}</code>` : part));
}

/** Why a call failed, and what to do. `readAt` is when the rest of the screen was read. */
export function Failure({error, readAt}) {
	if (error === undefined) {
		return null;
	}

	const {message, awaySince} = error;
	return html`<div class="error" role="alert">
		${
			awaySince === undefined
				? html`<p><${Code} text=${message} /></p>`
				: html`
					<p><strong>Redis has not answered since ${clock(awaySince)}.</strong> Bots wait for it: they answer late or not at all.</p>
					<p>
						Check that Redis runs and that this machine reaches it. <code>bothy doctor</code> says more. This page continues when Redis
						answers again.
					</p>
				`
		}
		${readAt !== undefined && html`<p>What you see below was read at ${clock(readAt)}, and may have changed.</p>`}
	</div>`;
}

/**
 * A button that does something on the server, and shows what came of it through `onDone`. What cannot be undone has a second
 * label, `sure`, and needs a second press.
 */
export function ActionButton({action, label, about = '', onDone, sure = ''}) {
	const [isBusy, setBusy] = useState(false);
	const [isAsked, setAsked] = useState(false);

	async function act() {
		if (isBusy) {
			return;
		}

		if (sure && !isAsked) {
			setAsked(true);
			return;
		}

		setAsked(false);
		setBusy(true);
		try {
			onDone(await api.post('act', action), action);
		} catch (error) {
			onDone({isDone: false, text: error.message}, action);
		} finally {
			setBusy(false);
		}
	}

	const shown = isAsked ? sure : label;
	// A disabled button would lose the focus.
	return html`<button
		type="button"
		class=${isAsked ? 'sure' : ''}
		aria-disabled=${isBusy ? 'true' : undefined}
		aria-label=${about === '' ? undefined : `${shown} ${about}`}
		onClick=${act}
		onBlur=${() => setAsked(false)}
	>${isBusy ? `${shown} …` : shown}</button>`;
}

/** What came of the last action. */
export function Outcome({outcome}) {
	return html`<div class="outcome" role="status">
		${outcome && html`<p class=${outcome.isDone ? 'done' : 'error'}><${Code} text=${outcome.text} /></p>`}
		${outcome?.output && html`<pre tabindex="0" aria-label="Output">${outcome.output}</pre>`}
	</div>`;
}
