// The console: sign-in, or one of three screens.

import {html} from 'htm/preact';
import {render} from 'preact';
import {useCallback, useEffect, useState} from 'preact/hooks';
import {Icon} from '../../realm/page/frame/icons.js';
import {api} from './api.js';
import {Attention} from './attention.js';
import {Deliveries} from './deliveries.js';
import {Health} from './health.js';
import {linkTo, useLocation} from './location.js';
import {SignIn} from './sign-in.js';

const SCREENS = {
	attention: {title: 'Needs attention', Screen: Attention},
	deliveries: {title: 'Deliveries', Screen: Deliveries},
	health: {title: 'Health', Screen: Health},
};

function App() {
	const [session, setSession] = useState(null);
	const [note, setNote] = useState('');

	useEffect(() => {
		api.get('session').then(setSession, () => setSession({who: ''}));
	}, []);

	const onSignedOut = useCallback(why => {
		setSession({who: ''});
		setNote(why);
	}, []);

	if (session === null) {
		return null;
	}

	return session.who === ''
		? html`<${SignIn} note=${note} onSignIn=${setSession} />`
		: html`<${Frame} who=${session.who} onSignedOut=${onSignedOut} />`;
}

function Frame({who, onSignedOut}) {
	const location = useLocation();
	const view = SCREENS[location.get('view')] ? location.get('view') : 'attention';
	const {title, Screen} = SCREENS[view];

	useEffect(() => {
		document.title = `${title} · Bothy console`;
	}, [title]);

	async function signOut() {
		await api.post('sign-out').catch(() => {});
		onSignedOut('You signed out.');
	}

	return html`
		<header class="bar">
			<strong class="name"><${Icon} name="house" /> Bothy console</strong>
			<nav aria-label="Screens">
				${Object.entries(SCREENS).map(
					([name, screen]) => html`
						<a key=${name} ...${linkTo({view: name})} aria-current=${name === view ? 'page' : undefined}>${screen.title}</a>
					`,
				)}
			</nav>
			<span class="who">${who}</span>
			<button type="button" onClick=${signOut}>Sign out</button>
		</header>
		<${Screen} location=${location} onSignedOut=${onSignedOut} />
	`;
}

render(html`<${App} />`, document.getElementById('app'));
