// Reads what a receiver answered (service-facts.md 4.4).

import {badRequest} from '../errors.js';

export interface Reply {
	readonly content: string;
	readonly widgetContent?: string;
}

/** The text to post, or `undefined` for nothing. */
export function readReply(body: string): Reply | undefined {
	const answer = readJson(body);
	if (answer === '') {
		return undefined;
	}

	if (!isObject(answer)) {
		throw badRequest('Invalid response format');
	}

	if (answer.response_not_required) {
		return undefined;
	}

	const content = asText('response_string' in answer ? answer.response_string : (answer.content ?? ''));
	if (content.trim() === '') {
		return undefined;
	}

	const widget = 'response_string' in answer ? undefined : answer.widget_content;
	return widget === undefined || widget === null ? {content} : {content, widgetContent: asText(widget)};
}

/** In Slack's format there is `text` and nothing else. */
export function readSlackReply(body: string): Reply | undefined {
	const answer = readJson(body);
	if (!isObject(answer)) {
		throw badRequest('Invalid response format');
	}

	const content = asText(answer.text ?? '');
	return content.trim() === '' ? undefined : {content};
}

function readJson(body: string): unknown {
	try {
		return JSON.parse(body);
	} catch {
		throw badRequest('Invalid JSON in response');
	}
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asText(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
