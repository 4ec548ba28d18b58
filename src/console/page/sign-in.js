// The sign-in: the token in ADMIN_TOKEN, and a name for the audit log.

import {html} from 'htm/preact';
import {useEffect, useState} from 'preact/hooks';
import {Icon} from '../../realm/page/frame/icons.js';
import {api} from './api.js';

/** @param note why somebody is here again */
export function SignIn({note, onSignIn}) {
	const [error, setError] = useState('');
	const [isBusy, setBusy] = useState(false);

	useEffect(() => {
		document.title = 'Sign in · Bothy console';
	}, []);

	async function submit(event) {
		event.preventDefault();
		const form = new FormData(event.currentTarget);
		setBusy(true);
		try {
			onSignIn(await api.post('sign-in', {who: form.get('who'), token: form.get('token')}));
		} catch (failure) {
			setError(failure.message);
			setBusy(false);
		}
	}

	return html`
		<main class="sign-in">
			<h1><${Icon} name="house" /> Bothy console</h1>
			${note && html`<p class="quiet">${note}</p>`}
			${error && html`<p class="error" role="alert">${error}</p>`}
			<form onSubmit=${submit}>
				<label>Your name <input name="who" required maxlength="50" autocomplete="name" /></label>
				<label>Token <input name="token" type="password" required autocomplete="current-password" /></label>
				<p class="quiet">The token is the value of <code>ADMIN_TOKEN</code>. The audit log shows your name.</p>
				<button type="submit" class="primary" disabled=${isBusy}>Sign in</button>
			</form>
		</main>
	`;
}
