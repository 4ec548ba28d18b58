// The handlers of all operations. A missing one does not compile.

import type {Handlers} from '../routes.js';
import * as alertWords from './alert-words.js';
import * as botStorage from './bot-storage.js';
import * as bots from './bots.js';
import * as channels from './channels.js';
import * as drafts from './drafts.js';
import * as emoji from './emoji.js';
import * as events from './events.js';
import * as invites from './invites.js';
import * as linkifiers from './linkifiers.js';
import * as messages from './messages.js';
import * as playgrounds from './playgrounds.js';
import * as presence from './presence.js';
import * as profileFields from './profile-fields.js';
import * as pushTokens from './push-tokens.js';
import * as reactions from './reactions.js';
import * as savedSnippets from './saved-snippets.js';
import * as scheduledMessages from './scheduled-messages.js';
import * as server from './server.js';
import * as settings from './settings.js';
import * as submessages from './submessages.js';
import * as subscriptions from './subscriptions.js';
import * as topics from './topics.js';
import * as typing from './typing.js';
import * as uploads from './uploads.js';
import * as userGroups from './user-groups.js';
import * as userStatus from './user-status.js';
import * as users from './users.js';
import * as webhook from './webhook.js';

export const handlers: Handlers = {
	...alertWords,
	...botStorage,
	...bots,
	...channels,
	...drafts,
	...emoji,
	...events,
	...invites,
	...linkifiers,
	...messages,
	...playgrounds,
	...presence,
	...profileFields,
	...pushTokens,
	...reactions,
	...savedSnippets,
	...scheduledMessages,
	...server,
	...settings,
	...submessages,
	...subscriptions,
	...topics,
	...typing,
	...uploads,
	...userGroups,
	...userStatus,
	...users,
	...webhook,
};
