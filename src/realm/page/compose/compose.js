// The compose box: Enter sends, Shift+Enter adds a line, `@` completes names.

import {html} from 'htm/preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {channelName, emptyTopicName, placeName} from '../chat/names.js';
import {hashOf, keyOf} from '../chat/places.js';
import {Icon} from '../frame/icons.js';
import {readDraft, writeDraft} from './drafts.js';
import {Hints} from './hints.js';
import {MentionMenu, useMentions} from './mention-menu.js';

/** Create one per place (`key`): it starts with that place's draft. */
export function Compose({state, chat, place}) {
	const owner = state.me.email;
	const [text, setText] = useState(() => readDraft(owner, keyOf(place)));
	const [topic, setTopic] = useState(() => firstTopic(state, place));
	const box = useRef(null);
	const people = [...state.users.values()].filter(user => user.is_active && !user.is_system_bot);

	function keep(next) {
		setText(next);
		writeDraft(owner, keyOf(place), next);
	}

	/** Written to the box directly, because the next key may come before the next rendering. */
	function write(next, caret = next.length) {
		box.current.value = next;
		box.current.focus();
		box.current.setSelectionRange(caret, caret);
		keep(next);
	}

	const mentions = useMentions({box, people, onComplete: write});

	function send(event) {
		event?.preventDefault();
		const {value} = box.current;
		if (value.trim() === '') {
			return;
		}

		const target = place.kind === 'direct' ? place : {...place, kind: 'topic', topic: topic.trim()};
		chat.send(target, value);
		write('');
		location.hash = hashOf(target, state.channels);
	}

	function onKeyDown(event) {
		if (mentions.onKeyDown(event) || event.key !== 'Enter' || event.shiftKey || event.isComposing) {
			return;
		}

		send(event);
	}

	function onInput(event) {
		keep(event.target.value);
		mentions.look();
	}

	useEffect(() => box.current.focus(), []);

	return html`
		<form class="compose" onSubmit=${send} aria-label="Write a message">
			<${Hints} ...${{state, place, people}} onPick=${write} />
			${place.kind !== 'direct' && html`<${TopicField} ...${{state, place, topic, onTopic: setTopic}} />`}
			<div class="box">
				<${MentionMenu} ...${mentions} />
				<textarea ref=${box} rows=${Math.min(8, text.split('\n').length)} value=${text}
					aria-label=${`Message to ${placeName(state, place)}`} placeholder="Write… @ names a bot"
					...${mentions.boxAttributes}
					onInput=${onInput} onKeyDown=${onKeyDown} onKeyUp=${mentions.onKeyUp} onClick=${mentions.look} onBlur=${mentions.close}></textarea>
				<button type="submit" class="primary" disabled=${text.trim() === ''}><${Icon} name="send" /> Send</button>
			</div>
			<p class="keys">Enter sends · Shift+Enter starts a new line</p>
		</form>
	`;
}

/** In a channel without a topic, continue its latest topic. */
function firstTopic(state, place) {
	return place.topic ?? state.topics.get(place.channelId)?.[0]?.name ?? 'hello';
}

function TopicField({state, place, topic, onTopic}) {
	const field = useRef(null);

	function startNew() {
		onTopic('');
		field.current.focus();
	}

	return html`
		<div class="topic-field">
			<label for="topic">#${channelName(state, place.channelId)} <span aria-hidden="true">›</span><span class="unseen">, topic</span></label>
			<input id="topic" ref=${field} value=${topic} maxlength=${state.maxTopicLength} placeholder=${emptyTopicName}
				list="topics" autocomplete="off" onInput=${event => onTopic(event.target.value)} />
			<datalist id="topics">
				${(state.topics.get(place.channelId) ?? []).map(({name}) => html`<option key=${name} value=${name} />`)}
			</datalist>
			<button type="button" onClick=${startNew}><${Icon} name="plus" /> New topic</button>
		</div>
	`;
}
