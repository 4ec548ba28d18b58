// The HTML of a message, prepared for the reader: files, emoji, times, spoilers, code, directions.

import {html} from 'htm/preact';
import {useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {Icon} from '../frame/icons.js';
import {characterOf} from './emoji.js';

const LONG_CHARACTERS = 2500;
const LONG_LINES = 24;
/** The realm sends these to be shown, and all others as downloads. */
const shownFiles = /\.(?:png|jpe?g|gif|webp|avif|txt|pdf|mp3|mp4|webm|ogg|wav)$/i;

/** The realm has escaped the author's HTML. In addition, the page's policy blocks scripts. */
export function Content({chat, content}) {
	const ref = useRef(/** @type {any} */ (null));
	const [isOpen, setIsOpen] = useState(false);
	const {nodes, isLong} = useMemo(() => prepare(content, chat), [content]);

	useLayoutEffect(() => {
		ref.current.replaceChildren(...nodes);
	}, [nodes]);

	return html`
		<div class=${`content${isLong && !isOpen ? ' folded' : ''}`} ref=${ref} dir="auto"></div>
		${
			isLong &&
			html`<button type="button" class="fold" aria-expanded=${isOpen} onClick=${() => setIsOpen(!isOpen)}>
				${isOpen ? 'Show less' : html`<${Icon} name="down" /> Show the whole message`}
			</button>`
		}
	`;
}

/** Parsed in a document of its own, where pictures do not load and nothing runs. */
function prepare(content, chat) {
	const {body} = new DOMParser().parseFromString(content, 'text/html');
	const lines = (body.textContent.match(/\n/g)?.length ?? 0) + body.querySelectorAll('br').length;
	const isLong = body.textContent.length > LONG_CHARACTERS || lines > LONG_LINES;
	for (const [selector, change] of Object.entries(changes)) {
		for (const element of body.querySelectorAll(selector)) {
			change(element, chat);
		}
	}

	return {nodes: [...body.childNodes], isLong};
}

/** Selector → what happens to each match. */
const changes = {
	'.message_inline_image': preparePicture,
	'a[href]': prepareLink,
	'span.emoji': prepareEmoji,
	'time[datetime]': prepareTime,
	'.spoiler-block': prepareSpoiler,
	'.codehilite': prepareCode,
	'p, ul, ol, blockquote, h1, h2, h3, h4, h5, h6, th, td, li': element => {
		element.dir = 'auto';
	},
};

function prepareLink(link, chat) {
	const url = addressOf(link.getAttribute('href'));
	if (url?.origin !== location.origin) {
		link.target = '_blank';
		link.rel = 'noopener noreferrer';
	} else if (isUpload(url)) {
		link.classList.add('file');
		link.addEventListener('click', event => {
			event.preventDefault();
			chat.attempt('The file does not open', async () => openFile(await chat.urlOfFile(url.pathname)));
		});
	}
}

/** In a tab of its own if the browser shows such files. Otherwise it is a download, and needs no tab. */
function openFile(address) {
	const link = document.createElement('a');
	link.href = address;
	link.rel = 'noopener';
	if (shownFiles.test(address)) {
		link.target = '_blank';
	} else {
		link.download = '';
	}

	link.click();
}

/** Pictures and videos of this realm are shown. Others stay links: the page loads nothing from elsewhere. */
function preparePicture(box, chat) {
	const media = box.querySelector('img, video');
	const url = addressOf(media?.getAttribute('src'));
	if (!url || url.origin !== location.origin || !isUpload(url)) {
		const link = box.querySelector('a');
		box.replaceWith(link ? textLink(box.ownerDocument, link) : '');
		return;
	}

	media.removeAttribute('src');
	media.setAttribute('alt', decode(url.pathname.split('/').at(-1)));
	chat.urlOfFile(url.pathname).then(
		temporary => {
			media.src = temporary;
		},
		() => media.replaceWith('This file cannot be shown.'),
	);
}

function textLink(owner, {href, title}) {
	const paragraph = owner.createElement('p');
	const link = owner.createElement('a');
	link.setAttribute('href', href);
	link.textContent = title || href;
	paragraph.append(link);
	return paragraph;
}

function prepareEmoji(span) {
	const [, code] = /\bemoji-([\da-f-]+)/.exec(span.className) ?? [];
	span.textContent = (code && characterOf(code)) || span.textContent;
}

function prepareTime(time) {
	const date = new Date(time.getAttribute('datetime'));
	time.title = time.textContent;
	time.textContent = date.toLocaleString(undefined, {dateStyle: 'medium', timeStyle: 'short'});
}

function prepareSpoiler(block) {
	const owner = block.ownerDocument;
	const details = owner.createElement('details');
	const summary = owner.createElement('summary');
	const [header, inside] = [block.querySelector('.spoiler-header'), block.querySelector('.spoiler-content')];
	summary.append(...(header?.textContent.trim() ? header.childNodes : ['Spoiler']));
	inside?.removeAttribute('aria-hidden');
	details.append(summary, ...(inside ? [inside] : []));
	details.className = 'spoiler';
	block.replaceWith(details);
}

function prepareCode(block) {
	const button = block.ownerDocument.createElement('button');
	button.type = 'button';
	button.className = 'copy';
	button.textContent = 'Copy';
	button.addEventListener('click', async () => {
		await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '');
		button.textContent = 'Copied';
	});
	const pre = block.querySelector('pre');
	pre.dir = 'ltr';
	pre.tabIndex = 0;
	block.append(button);
}

function addressOf(text) {
	return text && URL.canParse(text, location.origin) ? new URL(text, location.origin) : undefined;
}

function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function isUpload({pathname}) {
	return pathname.startsWith('/user_uploads/');
}
