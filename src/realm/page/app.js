// The chat page: shows the login or the chat.

import {html, render} from 'htm/preact';
import {useState} from 'preact/hooks';
import {ChatScreen} from './frame/chat-screen.js';
import {SignIn} from './frame/sign-in.js';
import {forget, recall, remember} from './realm/credentials.js';

function App() {
	const [credentials, setCredentials] = useState(recall);
	const [note, setNote] = useState();

	function signIn(next) {
		remember(next);
		setCredentials(next);
	}

	function signOut(why) {
		forget();
		setNote(why);
		setCredentials(null);
	}

	if (!credentials) {
		return html`<${SignIn} note=${note} onSignIn=${signIn} />`;
	}

	return html`<${ChatScreen} key=${credentials.email} ...${{credentials, onSignOut: signOut}} />`;
}

render(html`<${App} />`, document.getElementById('app'));
