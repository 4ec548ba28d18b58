// The links in a topic: matches of linkifiers, and addresses.

import type {Message} from '../../api/index.js';
import {findLinks} from '../linkifiers/find-links.js';
import {listLinkifiers} from '../linkifiers/linkifiers.js';
import type {Store} from '../store/store.js';

export function topicLinks(store: Store, topic: string): Message['topic_links'] {
	return findLinks([...listLinkifiers(store), address], topic).map(({text, url}) => ({text, url}));
}

const address = {pattern: String.raw`(?P<url>https?://[^\s<>"']*[^\s<>"'.,;:!?)])`, url_template: '{+url}'};
