// The links that a topic holds: what linkifiers make of it, and the addresses that stand in it.

import type {Message} from '../../api/index.js';
import {findLinks} from '../linkifiers/find-links.js';
import {listLinkifiers} from '../linkifiers/linkifiers.js';
import type {Store} from '../store/store.js';

export function topicLinks(store: Store, topic: string): Message['topic_links'] {
	return findLinks([...listLinkifiers(store), address], topic).map(({text, url}) => ({text, url}));
}

/** An address links to itself. */
const address = {pattern: String.raw`(?P<url>https?://[^\s<>"']*[^\s<>"'.,;:!?)])`, url_template: '{+url}'};
