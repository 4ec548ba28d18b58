// Parses a receiver's answer (service-facts.md 4.4).

import {badRequest} from '../errors.js';
import {asPythonText, isTruthy} from './python-text.js';

export interface Reply {
	readonly content: string;
	readonly widgetContent?: string;
}

/** The text to post. Undefined for none. */
export function readReply(body: string): Reply | undefined {
	const answer = readJson(body);
	if (answer === '') {
		return undefined;
	}

	if (!isObject(answer)) {
		throw badRequest('Invalid response format');
	}

	if (isTruthy(answer.response_not_required)) {
		return undefined;
	}

	const isOld = 'response_string' in answer;
	const said = isOld ? answer.response_string : 'content' in answer ? answer.content : '';
	const content = asPythonText(said);
	if (content.trim() === '') {
		return undefined;
	}

	const widget = isOld ? undefined : answer.widget_content;
	// A value that is no text is refused like invalid JSON.
	const widgetContent = typeof widget === 'string' ? widget : '';
	return widget === undefined || widget === null ? {content} : {content, widgetContent};
}

/** Slack's format has only `text`. */
export function readSlackReply(body: string): Reply | undefined {
	const answer = readJson(body);
	if (!isObject(answer)) {
		throw badRequest('Invalid response format');
	}

	const content = asPythonText('text' in answer ? answer.text : '');
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
