// The topic of a new message in a channel.

import {html} from 'htm/preact';
import {useRef} from 'preact/hooks';
import {channelName, emptyTopicName} from '../chat/names.js';
import {Icon} from '../frame/icons.js';

/** In a channel without a topic, continue its latest topic. */
export function firstTopic(state, place) {
	return place.topic ?? state.topics.get(place.channelId)?.[0]?.name ?? 'hello';
}

export function TopicField({state, place, topic, onTopic}) {
	const field = useRef(/** @type {any} */ (null));

	function startNew() {
		onTopic('');
		field.current.focus();
	}

	return html`
		<div class="topic-field">
			<label for="topic" dir="auto">#${channelName(state, place.channelId)} <span aria-hidden="true">›</span><span class="unseen">, topic</span></label>
			<input id="topic" ref=${field} dir="auto" value=${topic} maxlength=${state.maxTopicLength} placeholder=${emptyTopicName}
				list="topics" autocomplete="off" onInput=${event => onTopic(event.target.value)} />
			<datalist id="topics">
				${(state.topics.get(place.channelId) ?? []).map(({name}) => html`<option key=${name} value=${name} />`)}
			</datalist>
			<button type="button" onClick=${startNew}><${Icon} name="plus" /> New topic</button>
		</div>
	`;
}
