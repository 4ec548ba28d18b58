// The handlers of all operations. A missing one does not compile.

import type {Handlers} from '../routes.js';
import * as botStorage from './bot-storage.js';
import * as bots from './bots.js';
import * as channels from './channels.js';
import * as emoji from './emoji.js';
import * as events from './events.js';
import * as linkifiers from './linkifiers.js';
import * as drafts from './messages/drafts.js';
import * as messages from './messages/messages.js';
import * as reactions from './messages/reactions.js';
import * as savedSnippets from './messages/saved-snippets.js';
import * as scheduledMessages from './messages/scheduled-messages.js';
import * as submessages from './messages/submessages.js';
import * as topics from './messages/topics.js';
import * as typing from './messages/typing.js';
import * as uploads from './messages/uploads.js';
import * as alertWords from './people/alert-words.js';
import * as invites from './people/invites.js';
import * as presence from './people/presence.js';
import * as profileFields from './people/profile-fields.js';
import * as pushTokens from './people/push-tokens.js';
import * as settings from './people/settings.js';
import * as userGroups from './people/user-groups.js';
import * as userStatus from './people/user-status.js';
import * as users from './people/users.js';
import * as playgrounds from './playgrounds.js';
import * as server from './server.js';
import * as subscriptions from './subscriptions.js';
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
