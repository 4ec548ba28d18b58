// The login: choose a person. There are no passwords, because the realm is for development.

import {html} from 'htm/preact';
import {useEffect, useState} from 'preact/hooks';
import {roles} from '../chat/names.js';
import {Avatar} from './avatar.js';
import {Icon} from './icons.js';

/** @param note why somebody is back here, if there is something to say */
export function SignIn({api, note, onSignIn}) {
	const [accounts, setAccounts] = useState({});
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
			await onSignIn(email);
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
			${byRole(accounts).map(([title, list]) => html`<${Accounts} key=${title} ...${{title, list}} onChoose=${choose} />`)}
		</main>
	`;
}

/** Older realms do not say the role. */
function byRole({direct_admins: admins = [], direct_users: users = []}) {
	const titleOf = account => roles.get(account.role) ?? (admins.includes(account) ? 'Administrators' : 'Members');
	const groups = Map.groupBy([...admins, ...users], titleOf);
	return [...roles.values()].flatMap(title => (groups.has(title) ? [[title, groups.get(title)]] : []));
}

function Accounts({title, list, onChoose}) {
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
			<span><strong dir="auto">${name}</strong><small>${email}</small></span>
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
