// The edit history of messages (spec.md, "Edit history entry").

import type {Message} from '../../../api/index.js';
import type {Store} from '../../store/store.js';
import type {MessageRow} from '../rows.js';
import {displayTopic, RESOLVED_PREFIX} from '../text.js';

/** One change. Both topics, or both channels, are null if it did not change them. */
export interface EditRow {
	readonly message_id: number;
	readonly user_id: number;
	readonly timestamp: number;
	readonly prev_content: string | null;
	readonly prev_rendered_content: string | null;
	readonly prev_channel_id: number | null;
	readonly channel_id: number | null;
	readonly prev_topic: string | null;
	readonly topic: string | null;
}

export interface EditPresentation {
	readonly allowEmptyTopicName: boolean;
}

export function recordEdit(store: Store, edit: EditRow): void {
	store.run(
		`INSERT INTO message_edits (message_id, user_id, timestamp, prev_content, prev_rendered_content, prev_channel_id,
			channel_id, prev_topic, topic)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		edit.message_id,
		edit.user_id,
		edit.timestamp,
		edit.prev_content,
		edit.prev_rendered_content,
		edit.prev_channel_id,
		edit.channel_id,
		edit.prev_topic,
		edit.topic,
	);
}

/** A message's changes, newest first. */
export function editsOf(store: Store, messageId: number): EditRow[] {
	return store.all<EditRow>('SELECT * FROM message_edits WHERE message_id = ? ORDER BY id DESC', messageId);
}

/** The edit fields of a message object. Empty if there are no changes. */
export function presentEdits(
	edits: readonly EditRow[],
	how: EditPresentation,
): Pick<Message, 'last_edit_timestamp' | 'last_moved_timestamp' | 'edit_history'> {
	if (edits.length === 0) {
		return {};
	}

	const edited = edits.find(edit => edit.prev_content !== null);
	const moved = edits.find(edit => isMove(edit));

	return {
		...(edited && {last_edit_timestamp: edited.timestamp}),
		...(moved && {last_moved_timestamp: moved.timestamp}),
		edit_history: edits.map(edit => presentEdit(edit, how)),
	};
}

/** Whether a change only marked the topic as resolved or unresolved. */
export function isResolving(before: string, after: string): boolean {
	return before === RESOLVED_PREFIX + after || after === RESOLVED_PREFIX + before;
}

function isMove({prev_channel_id, prev_topic, topic}: EditRow): boolean {
	return prev_channel_id !== null || (prev_topic !== null && topic !== null && !isResolving(prev_topic, topic));
}

function presentEdit(edit: EditRow, {allowEmptyTopicName}: EditPresentation) {
	return {
		user_id: edit.user_id,
		timestamp: edit.timestamp,
		...(edit.prev_content !== null && {prev_content: edit.prev_content}),
		...(edit.prev_rendered_content !== null && {prev_rendered_content: edit.prev_rendered_content}),
		...(edit.prev_channel_id !== null && {prev_stream: edit.prev_channel_id}),
		...(edit.channel_id !== null && {stream: edit.channel_id}),
		...(edit.prev_topic !== null && {prev_topic: displayTopic(edit.prev_topic, allowEmptyTopicName)}),
		...(edit.topic !== null && {topic: displayTopic(edit.topic, allowEmptyTopicName)}),
	};
}

/** Every version of a message, oldest first. Computed backwards from the current one. */
export function snapshots(row: MessageRow, edits: readonly EditRow[], how: EditPresentation) {
	const now = {topic: row.topic, content: row.content, rendered_content: row.rendered_content};
	const states = edits.map(edit => {
		const state = presentState(row, now, how);
		now.topic = edit.prev_topic ?? now.topic;
		now.content = edit.prev_content ?? now.content;
		now.rendered_content = edit.prev_rendered_content ?? now.rendered_content;
		const isText = edit.prev_content !== null;
		const diff = isText && {content_html_diff: differenceOf(now.rendered_content, state.rendered_content)};
		return {...presentEdit(edit, how), ...state, ...diff};
	});

	return [{...presentState(row, now, how), user_id: row.sender_id, timestamp: row.timestamp}, ...states.reverse()];
}

/** Both texts as HTML, the inserted one before the deleted one. */
function differenceOf(before: string, after: string): string {
	const mark = (html: string, kind: string) =>
		html.replace(/<p>(.*?)<\/p>/gs, `<p><span class="highlight_text_${kind}">$1</span></p>`);
	return before === after ? `<div>${after}</div>` : `<div>${mark(after, 'inserted')} ${mark(before, 'deleted')}</div>`;
}

function presentState(
	row: MessageRow,
	state: {topic: string; content: string; rendered_content: string},
	{allowEmptyTopicName}: EditPresentation,
) {
	return {...state, topic: row.channel_id === null ? '' : displayTopic(state.topic, allowEmptyTopicName)};
}
