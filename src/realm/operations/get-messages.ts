import {badRequest} from '../errors.js';
import {handler} from '../http/handler.js';
import {checkCount, selectAround} from '../messages/around.js';
import {readTerms, searchedWords} from '../messages/narrow.js';
import {type Presentation, presentForReader} from '../messages/present.js';
import {type MessageRow, selectMessages} from '../messages/rows.js';
import {presentMatches} from '../messages/search.js';
import {type Account, visitor} from '../people/accounts.js';
import type {Store} from '../store/store.js';

export const getMessages = handler(
	'getMessages',
	({services: {store}, caller, parameters}) => {
		const reader = caller ?? visitor;
		const how: Presentation = {
			applyMarkdown: parameters.apply_markdown,
			allowEmptyTopicName: parameters.allow_empty_topic_name,
			clientGravatar: parameters.client_gravatar,
			withoutLogin: !caller,
		};
		const present = (row: MessageRow) => presentForReader(store, row, how);
		const {message_ids: ids, anchor} = parameters;
		if (ids) {
			return {messages: selectById(store, reader, ids).map(present), history_limited: false};
		}

		if (anchor === undefined) {
			throw badRequest("Missing 'anchor' argument.");
		}

		const {rows, ...found} = selectAround(store, reader, {...parameters, anchor});
		const words = searchedWords(readTerms(parameters.narrow));
		const matches = (row: MessageRow) => (words.length > 0 ? presentMatches(row, words, how) : {});
		return {messages: rows.map(row => ({...present(row), ...matches(row)})), ...found, history_limited: false};
	},
	['anchor'],
);

function selectById(store: Store, reader: Account, ids: readonly number[]): MessageRow[] {
	checkCount(ids.length);
	const marks = ids.map(() => '?').join(', ');
	return selectMessages(store, reader, {conditions: [{sql: `m.id IN (${marks})`, values: ids}], limit: ids.length});
}
