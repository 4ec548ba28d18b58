// Parses `#**channel**`, `#**channel>topic**` and `#**channel>topic@123**`.

import type {StateInline} from 'markdown-it';
import {maySeeChannel} from '../channels/access.js';
import {type ChannelRow, findChannelByName} from '../channels/channels.js';
import {escapeText} from './escape-html.js';
import type {MessageEnv} from './mention-rule.js';

const pattern = /#\*\*(?<name>[^*>\n]+)(?:>(?<topic>[^*\n]+?)(?:@(?<id>\d+))?)?\*\*/y;

export function linkChannel(state: StateInline, onlyLook: boolean): boolean {
	pattern.lastIndex = state.pos;
	const groups = pattern.exec(state.src)?.groups;
	const end = pattern.lastIndex;
	const channel = groups && findLinked(state.env as MessageEnv, groups.name ?? '');
	if (!channel) {
		return false;
	}

	if (!onlyLook) {
		state.push('html_inline', '', 0).content = link(channel, groups.topic, groups.id);
	}

	state.pos = end;
	return true;
}

/** A channel that the author may not see is not linked, so that guessing names reveals nothing. */
function findLinked({store, author}: MessageEnv, name: string): ChannelRow | undefined {
	const channel = findChannelByName(store, name);
	const isKnown = channel?.name === name && (!author || maySeeChannel(store, author, channel));
	return isKnown ? channel : undefined;
}

function link(channel: ChannelRow, topic: string | undefined, messageId: string | undefined): string {
	const data = `data-stream-id="${channel.id}"`;
	const href = channelHref(channel);
	if (topic === undefined) {
		return `<a class="stream" ${data} href="${href}">#${escapeText(channel.name)}</a>`;
	}

	const label = `#${escapeText(channel.name)} &gt; ${escapeText(topic)}`;
	if (messageId === undefined) {
		return `<a class="stream-topic" ${data} href="${href}/topic/${hashPart(topic)}">${label}</a>`;
	}

	return `<a class="message-link" href="${href}/topic/${hashPart(topic)}/near/${messageId}">${label} @ 💬</a>`;
}

/** The path of a channel in the web app. */
export function channelHref(channel: ChannelRow): string {
	return `/#narrow/channel/${channel.id}-${hashPart(channel.name.replaceAll(' ', '-'))}`;
}

/** Uses dots instead of percent signs, as in the service's links. */
export function hashPart(text: string): string {
	return encodeURIComponent(text)
		.replace(/[.!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
		.replaceAll('%', '.');
}
