// The login: choose a person. There are no passwords, because the realm is for development.

import {html} from 'htm/preact';
import {useEffect, useState} from 'preact/hooks';
import {createApi} from '../realm/api.js';
import {Avatar} from './avatar.js';
import {Icon} from './icons.js';

const api = createApi();

/** @param note why somebody is back here, if there is something to say */
export function SignIn({note, onSignIn}) {
	const [accounts, setAccounts] = useState(null);
	const [error, setError] = useState();

	async function load() {
		setError(undefined);
		try {
			setAccounts(await api.get('dev_list_users'));
		} catch (failure) {
			setError(failure.message);
		}
	}

	async function choose(email) {
		try {
			const {api_key: key, email: ownEmail} = await api.post('dev_fetch_api_key', {username: email});
			onSignIn({email: ownEmail, key});
		} catch (failure) {
			setError(failure.message);
		}
	}

	useEffect(() => {
		document.title = 'Sign in · Bothy realm';
		load();
	}, []);

	return html`
		<main class="sign-in">
			<h1><${Icon} name="house" /> Bothy realm</h1>
			<p class="lead">Who do you want to be?</p>
			<p class="note">
				A development realm on this machine: demo accounts, no passwords. Open a second tab to be two people at once.
			</p>
			${note && html`<p class="error" role="alert">${note}</p>`}
			${error && html`<p class="error" role="alert">${error} <button type="button" onClick=${load}>Try again</button></p>`}
			${accounts && html`<${Accounts} title="Administrators" list=${accounts.direct_admins} onChoose=${choose} />`}
			${accounts && html`<${Accounts} title="People" list=${accounts.direct_users} onChoose=${choose} />`}
		</main>
	`;
}

function Accounts({title, list, onChoose}) {
	if (list.length === 0) {
		return null;
	}

	return html`
		<section>
			<h2>${title}</h2>
			<ul class="accounts">
				${list.map(account => html`<li key=${account.email}><${Account} ...${{account, onChoose}} /></li>`)}
			</ul>
		</section>
	`;
}

function Account({account: {email, full_name: name = nameFrom(email), user_id: id = hash(email)}, onChoose}) {
	return html`
		<button type="button" class="account" onClick=${() => onChoose(email)}>
			<${Avatar} id=${id} name=${name} />
			<span><strong>${name}</strong><small>${email}</small></span>
		</button>
	`;
}

function nameFrom(email) {
	const [local] = email.split('@');
	return local[0].toUpperCase() + local.slice(1);
}

function hash(text) {
	return [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 65_521, 7);
}
