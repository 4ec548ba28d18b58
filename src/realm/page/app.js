// The chat page: shows the login or the chat.

import {html, render} from 'htm/preact';
import {useEffect, useState} from 'preact/hooks';
import {ChatScreen} from './frame/chat-screen.js';
import {SignIn} from './frame/sign-in.js';
import {createApi} from './realm/api.js';
import {fetchCredentials, forget, recall, remember} from './realm/credentials.js';

const api = createApi();

function App() {
	const [credentials, setCredentials] = useState(/** @type {{email: string, key: string} | null} */ (null));
	const [person, setPerson] = useState(recall);
	const [note, setNote] = useState(undefined);

	function signOut(why) {
		forget();
		setNote(why);
		setCredentials(null);
		setPerson(null);
	}

	async function signIn(email) {
		const next = await fetchCredentials(api, email);
		remember(next.email);
		setCredentials(next);
	}

	useEffect(() => {
		if (person) {
			signIn(person).catch(failure => signOut(failure.message));
		}
	}, []);

	if (credentials) {
		return html`<${ChatScreen} key=${credentials.email} ...${{credentials, onSignOut: signOut}} />`;
	}

	return person ? null : html`<${SignIn} ...${{api, note}} onSignIn=${signIn} />`;
}

render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById('app')));
