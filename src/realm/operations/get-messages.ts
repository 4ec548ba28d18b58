import {badRequest, incompatible} from '../errors.js';
import {handler} from '../http/handler.js';
import {checkCount, selectAround} from '../messages/around.js';
import {narrowConditions, readTerms, searchedWords} from '../messages/narrow.js';
import type {NarrowTerm} from '../messages/narrow-terms.js';
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
		const terms = readTerms(parameters.narrow);
		const words = searchedWords(terms);
		const present = (row: MessageRow) => ({
			...presentForReader(store, row, how),
			...(words.length > 0 && presentMatches(row, words, how)),
		});
		const {message_ids: ids, anchor, num_before, num_after} = parameters;
		if (ids) {
			if (anchor !== undefined || num_before > 0 || num_after > 0) {
				throw incompatible(['num_before', 'num_after', 'anchor', 'message_ids', 'include_anchor']);
			}

			return {messages: selectById(store, reader, {ids, terms}).map(present), history_limited: false};
		}

		if (anchor === undefined) {
			throw badRequest("Missing 'anchor' argument.");
		}

		const {rows, ...found} = selectAround(store, reader, {...parameters, anchor});
		return {messages: rows.map(present), ...found, history_limited: false};
	},
	['anchor'],
);

/** Without a narrow, all of them that the reader may read. */
function selectById(
	store: Store,
	reader: Account,
	{ids, terms}: {ids: readonly number[]; terms: readonly NarrowTerm[]},
): MessageRow[] {
	checkCount(ids.length);
	const marks = ids.map(() => '?').join(', ');
	const narrow = terms.length > 0 ? narrowConditions(store, reader, terms) : [];
	const conditions = [...narrow, {sql: `m.id IN (${marks})`, values: ids}];
	return selectMessages(store, reader, {conditions, limit: ids.length});
}
