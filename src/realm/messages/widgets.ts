// Interactive messages: what `widget_content` may hold, and the first words that make a widget (service-facts.md 4.4).

import {z} from 'zod';
import {badRequest} from '../errors.js';

const Zform = z.object({
	widget_type: z.literal('zform'),
	extra_data: z.object({
		type: z.literal('choices'),
		heading: z.string(),
		choices: z.array(z.object({short_name: z.string(), long_name: z.string(), reply: z.string()})),
	}),
});

/** Content of the submessage that makes the widget, if there is to be one. */
export function widgetSubmessage(content: string, widgetContent: string | undefined): string | undefined {
	if (widgetContent !== undefined) {
		return JSON.stringify(readWidget(widgetContent));
	}

	const [, command, rest = ''] = /^\/(poll|todo)(?:\s+([\s\S]*))?$/.exec(content) ?? [];
	if (command === undefined) {
		return undefined;
	}

	const [heading = '', ...lines] = rest.split('\n').map(line => line.trim());
	const items = lines.filter(line => line !== '');
	return JSON.stringify({
		widget_type: command,
		extra_data: command === 'poll' ? poll(heading, items) : todo(heading, items),
	});
}

function poll(question: string, options: string[]) {
	return {question, options: options.map(option => option.replace(/^[*-]\s*/, ''))};
}

function todo(title: string, lines: string[]) {
	const tasks = lines.map(line => {
		const [task = '', ...desc] = line.split(':');
		return {task: task.trim(), desc: desc.join(':').trim()};
	});

	return {task_list_title: title || 'Task list', tasks};
}

function readWidget(text: string): z.infer<typeof Zform> {
	const widget = Zform.safeParse(readJson(text));
	if (widget.success) {
		return widget.data;
	}

	const [issue] = widget.error.issues;
	throw badRequest(`Widgets: ${issue?.path.join('.') || 'widget_content'}: ${issue?.message}`);
}

function readJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		throw badRequest('Widgets: API programmer sent invalid JSON content');
	}
}
