// The state of the page is its URL, so that it can be shared, and survives a reload.

import {useEffect, useState} from 'preact/hooks';

const CHANGED = 'console-location';

/** The parameters of the URL. */
export function useLocation() {
	const [search, setSearch] = useState(location.search);
	useEffect(() => {
		const read = () => setSearch(location.search);
		addEventListener('popstate', read);
		addEventListener(CHANGED, read);
		return () => {
			removeEventListener('popstate', read);
			removeEventListener(CHANGED, read);
		};
	}, []);
	return new URLSearchParams(search);
}

export function urlOf(parameters) {
	const present = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
	return `/?${new URLSearchParams(present.map(([name, value]) => [name, String(value)]))}`;
}

export function go(parameters, {replaces = false} = {}) {
	history[replaces ? 'replaceState' : 'pushState'](null, '', urlOf(parameters));
	dispatchEvent(new Event(CHANGED));
}

/** The attributes of a link to another state. */
export function linkTo(parameters) {
	return {
		href: urlOf(parameters),
		onClick(event) {
			if (!event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0) {
				event.preventDefault();
				go(parameters);
			}
		},
	};
}
