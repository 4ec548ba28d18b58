// Every operation that the client calls and the realm serves, in one table: what the files of the resources export.

import * as alertWords from './alert-words.js';
import * as botStorage from './bot-storage.js';
import * as bots from './bots.js';
import * as channels from './channels.js';
import * as drafts from './drafts.js';
import * as emoji from './emoji.js';
import * as events from './events.js';
import * as linkifiers from './linkifiers.js';
import * as messages from './messages.js';
import {isOperation, type Operation} from './operation.js';
import * as playgrounds from './playgrounds.js';
import * as presence from './presence.js';
import * as profileFields from './profile-fields.js';
import * as pushTokens from './push-tokens.js';
import * as reactions from './reactions.js';
import * as savedSnippets from './saved-snippets.js';
import * as scheduledMessages from './scheduled-messages.js';
import * as server from './server.js';
import * as settings from './settings.js';
import * as subscriptions from './subscriptions.js';
import * as topics from './topics.js';
import * as typing from './typing.js';
import * as uploads from './uploads.js';
import * as userGroups from './user-groups.js';
import * as userStatus from './user-status.js';
import * as users from './users.js';
import * as webhook from './webhook.js';

// Schemas as well: the table below has the operations among them.
const exported = {
	...messages,
	...uploads,
	...linkifiers,
	...playgrounds,
	...savedSnippets,
	...scheduledMessages,
	...reactions,
	...typing,
	...users,
	...userGroups,
	...profileFields,
	...channels,
	...topics,
	...subscriptions,
	...pushTokens,
	...webhook,
	...events,
	...drafts,
	...settings,
	...bots,
	...userStatus,
	...presence,
	...server,
	...emoji,
	...alertWords,
	...botStorage,
};
type Exported = typeof exported;

export type Operations = {
	readonly [Name in keyof Exported as Exported[Name] extends Operation ? Name : never]: Exported[Name];
};
export type OperationName = keyof Operations;

/** Each operation under the name by which its file exports it. */
// The filter does at run time what the type above does.
export const operations = Object.fromEntries(
	Object.entries(exported).filter(([, value]) => isOperation(value)),
) as Operations;

export type {Channel} from './channels.js';
export {Draft, type NewDraft} from './drafts.js';
export type {CustomEmoji} from './emoji.js';
export type {Event} from './events.js';
export type {GroupSetting} from './group-setting.js';
export type {Linkifier} from './linkifiers.js';
export {Message} from './messages.js';
export type {Callers, Operation, Parameter, ParametersOf, ResultOf} from './operation.js';
export {encodeValue, pathParameters} from './operation.js';
export type {ProfileField, ProfileValues} from './profile-fields.js';
export type {SavedSnippet} from './saved-snippets.js';
export type {ScheduledMessage} from './scheduled-messages.js';
export type {Attachment} from './uploads.js';
export type {UserGroup} from './user-groups.js';
export {type UserSettings, userSettings} from './user-settings.js';
export type {User} from './users.js';
export {Payload} from './webhook.js';
