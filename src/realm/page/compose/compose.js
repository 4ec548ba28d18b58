// The compose box: Enter sends, Shift+Enter adds a line, `@` completes names. Files are attached or pasted.

import {html} from 'htm/preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {placeName} from '../chat/names.js';
import {hashOf} from '../chat/places.js';
import {Icon} from '../frame/icons.js';
import {AttachButton, filesOf, useUploads} from './attach.js';
import {useDraft} from './drafts.js';
import {Hints} from './hints.js';
import {MentionMenu, useMentions} from './mention-menu.js';
import {ScheduleButton} from './schedule.js';
import {firstTopic, TopicField} from './topic-field.js';

/** Create one per place (`key`): it starts with that place's draft. */
export function Compose({state, chat, place}) {
	const [topic, setTopic] = useState(() => firstTopic(state, place));
	const target = place.kind === 'direct' ? place : {...place, kind: 'topic', topic: topic.trim()};
	const draft = useDraft({state, chat, place, target});
	const {text} = draft;
	const box = useRef(/** @type {any} */ (null));
	const people = [...state.users.values()].filter(user => user.is_active && !user.is_system_bot);

	/** Written to the box directly, because the next key may come before the next rendering. */
	function write(next, caret = next.length) {
		box.current.value = next;
		box.current.focus();
		box.current.setSelectionRange(caret, caret);
		draft.keep(next);
	}

	/** Puts a text where the caret is, on a line of its own if there is more than a line. */
	function insert(added) {
		const {value, selectionStart: start, selectionEnd: finish} = box.current;
		const before = value.slice(0, start);
		const glue = before === '' || /\s$/.test(before) ? '' : added.includes('\n') ? '\n' : ' ';
		const head = `${before}${glue}${added}`;
		write(head + value.slice(finish), head.length);
	}

	const mentions = useMentions({box, people, onComplete: write});
	const uploads = useUploads({chat, onDone: insert});

	/** Empties the box and gives what was in it. */
	function take() {
		const {value} = box.current;
		write('');
		location.hash = hashOf(target, state.channels);
		return value;
	}

	function send(event) {
		event?.preventDefault();
		if (box.current.value.trim() !== '' && !uploads.isBusy) {
			chat.send(target, take());
		}
	}

	async function schedule(timestamp) {
		if (await chat.schedule(target, box.current.value, timestamp)) {
			take();
		}
	}

	function onKeyDown(event) {
		if (mentions.onKeyDown(event) || event.isComposing) {
			return;
		}

		if (event.key === 'Enter' && !event.shiftKey) {
			send(event);
		} else if (event.key === 'ArrowUp' && box.current.value === '') {
			event.preventDefault();
			focusLastMessage();
		}
	}

	function onInput(event) {
		draft.keep(event.target.value);
		mentions.look();
		chat.typing(target);
	}

	function onPaste(event) {
		const files = filesOf(event.clipboardData);
		if (files.length > 0) {
			event.preventDefault();
			uploads.add(files);
		}
	}

	useEffect(() => {
		// Who walks through the sidebar with the keyboard stays there.
		if (!document.activeElement?.matches('.sidebar :focus-visible, article:focus')) {
			box.current.focus();
		}
	}, []);

	const asked = useRef(state.insertion?.number);
	useEffect(() => {
		if (state.insertion && state.insertion.number !== asked.current) {
			asked.current = state.insertion.number;
			insert(state.insertion.text);
		}
	}, [state.insertion]);

	return html`
		<form class="compose" onSubmit=${send} aria-label="Write a message">
			<${Hints} ...${{state, place, people}} onPick=${write} />
			${place.kind !== 'direct' && html`<${TopicField} ...${{state, place, topic, onTopic: setTopic}} />`}
			<div class="box">
				<${MentionMenu} ...${mentions} />
				<textarea id="compose" ref=${box} dir="auto" rows=${Math.min(8, text.split('\n').length)} value=${text}
					aria-label=${`Message to ${placeName(state, place)}`} placeholder="Write a message. @ mentions a bot"
					...${mentions.boxAttributes}
					onInput=${onInput} onKeyDown=${onKeyDown} onKeyUp=${mentions.onKeyUp} onClick=${mentions.look} onBlur=${mentions.close} onPaste=${onPaste}></textarea>
				<button type="submit" class="primary" disabled=${text.trim() === '' || uploads.isBusy}><${Icon} name="send" /> Send</button>
			</div>
			<div class="tools">
				<${AttachButton} onFiles=${uploads.add} />
				<${ScheduleButton} disabled=${text.trim() === ''} onSchedule=${schedule} />
				${uploads.isBusy && html`<span role="status">Uploading…</span>`}
				<span class="keys">Enter sends · Shift+Enter starts a new line · ↑ goes to the messages</span>
			</div>
		</form>
	`;
}

function focusLastMessage() {
	/** @type {NodeListOf<HTMLElement>} */
	const articles = document.querySelectorAll('.messages article[data-id]');
	articles[articles.length - 1]?.focus();
}
