// The console: sign-in, or one of three screens.

import {html} from 'htm/preact';
import {render} from 'preact';
import {useCallback, useEffect, useErrorBoundary, useState} from 'preact/hooks';
import {Icon} from '../../realm/page/frame/icons.js';
import {api} from './api.js';
import {Attention} from './attention.js';
import {Deliveries} from './deliveries.js';
import {Health} from './health.js';
import {linkTo, useLocation} from './location.js';
import {Failure} from './parts.js';
import {SignIn} from './sign-in.js';

const SCREENS = {
	attention: {title: 'Needs attention', Screen: Attention},
	deliveries: {title: 'Deliveries', Screen: Deliveries},
	health: {title: 'Health', Screen: Health},
};

const AGAIN_MS = 2_000;

function App() {
	const [session, setSession] = useState(null);
	const [note, setNote] = useState('');
	const [error, setError] = useState(undefined);
	const [broken] = useErrorBoundary();

	const onSignedOut = useCallback(why => {
		setSession({who: ''});
		setNote(why);
	}, []);

	// Who is signed in is known once Redis answers.
	useEffect(() => {
		let timer;
		const ask = () =>
			api.get('session').then(setSession, failure => {
				if (failure.status === 401) {
					onSignedOut('');
					return;
				}

				setError(failure);
				timer = setTimeout(ask, AGAIN_MS);
			});
		ask();
		return () => clearTimeout(timer);
	}, [onSignedOut]);

	if (broken) {
		return html`<main class="screen"><h1>This page failed</h1><p class="error" role="alert">${String(broken)}</p><a href="/">Load it again</a></main>`;
	}

	if (session === null) {
		return error && html`<main class="screen"><h1>Bothy console</h1><${Failure} error=${error} /></main>`;
	}

	return session.who === ''
		? html`<${SignIn} note=${note} onSignIn=${setSession} />`
		: html`<${Frame} who=${session.who} onSignedOut=${onSignedOut} />`;
}

function Frame({who, onSignedOut}) {
	const location = useLocation();
	const [error, setError] = useState(undefined);
	const view = Object.hasOwn(SCREENS, location.get('view') ?? '') ? location.get('view') : 'attention';
	const {title, Screen} = SCREENS[view];

	useEffect(() => {
		document.title = `${title} · Bothy console`;
	}, [title]);

	async function signOut() {
		try {
			await api.post('sign-out');
			onSignedOut('You signed out.');
		} catch (failure) {
			if (failure.awaySince === undefined) {
				setError(failure);
				return;
			}

			onSignedOut(
				'This browser is signed out. Redis does not answer, so a copy of its cookie would work until it expires.',
			);
		}
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
		${error && html`<p class="error" role="alert">You are still signed in. ${error.message}</p>`}
		<${Screen} location=${location} onSignedOut=${onSignedOut} />
	`;
}

render(html`<${App} />`, document.getElementById('app'));
