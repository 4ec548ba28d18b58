// Widgets: checks `widget_content`, and recognizes commands such as `/poll` (service-facts.md 4.4).

import {badRequest} from '../errors.js';
import {spacedJson} from './spaced-json.js';

/** The content of the widget's submessage. Undefined if there is no widget. */
export function widgetSubmessage(content: string, widgetContent: string | undefined): string | undefined {
	if (widgetContent !== undefined) {
		const widget = readJson(widgetContent);
		checkWidget(widget);
		return spacedJson(widget);
	}

	const [, command, rest = ''] = /^\/(poll|todo)(?![^\s])([\s\S]*)$/.exec(content) ?? [];
	if (command === undefined) {
		return undefined;
	}

	const [first = '', ...others] = rest.split(/\r\n?|\n/);
	const lines = others.map(line => line.trim().replace(/^[-*]?\s*/, '')).filter(line => line !== '');
	const heading = first.trim();
	return spacedJson({
		widget_type: command,
		extra_data: command === 'poll' ? {question: heading, options: lines} : todo(heading, lines),
	});
}

function todo(title: string, lines: string[]) {
	const tasks = lines.map(line => {
		const [task = '', ...desc] = line.split(': ');
		return {task: task.trim(), desc: desc.join(': ').trim()};
	});

	return {task_list_title: title, tasks};
}

/** Only zforms. Unknown fields stay. */
function checkWidget(widget: unknown): void {
	const {widget_type, extra_data} = checkObject(widget, 'widget_content', (key, name) => `${key} is not in ${name}`, [
		'widget_type',
		'extra_data',
	]);
	checkObject(extra_data, 'extra_data');
	if (widget_type !== 'zform') {
		throw unfit(`unknown widget type: ${widget_type}`);
	}

	const {type} = checkObject(extra_data, 'extra_data', () => 'zform is missing type field', ['type']);
	if (type !== 'choices') {
		throw unfit(`unknown zform type: ${type}`);
	}

	const {heading, choices} = checkObject(extra_data, 'extra_data', missingKey, ['heading', 'choices']);
	checkString(heading, 'extra_data["heading"]');
	if (!Array.isArray(choices)) {
		throw unfit('extra_data["choices"] is not a list');
	}

	for (const [index, choice] of choices.entries()) {
		const name = `extra_data["choices"][${index}]`;
		const texts = checkObject(choice, name, missingKey, ['short_name', 'long_name', 'reply']);
		for (const key of ['short_name', 'long_name', 'reply']) {
			checkString(texts[key], `${name}["${key}"]`);
		}
	}
}

function checkObject(
	value: unknown,
	name: string,
	missing: (key: string, name: string) => string = missingKey,
	keys: readonly string[] = [],
): Record<string, unknown> {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) {
		throw unfit(`${name} is not a dict`);
	}

	const absent = keys.find(key => !(key in value));
	if (absent !== undefined) {
		throw unfit(missing(absent, name));
	}

	return value as Record<string, unknown>;
}

function missingKey(key: string, name: string): string {
	return `${key} key is missing from ${name}`;
}

function checkString(value: unknown, name: string): void {
	if (typeof value !== 'string') {
		throw unfit(`${name} is not a string`);
	}
}

function unfit(reason: string) {
	return badRequest(`Widgets: ${reason}`);
}

function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw badRequest('Widgets: API programmer sent invalid JSON content');
	}
}
