// The reference in docs/bots.md, from the doc comments of what `bothy` exports. TypeScript 7 has no API to read them, so a
// TypeScript 5 does.

import {dirname, resolve} from 'node:path';
import ts from 'typescript5';

/** Members with headings of their own, or a table of fields. */
interface Section {
	readonly title: string;
	readonly of: readonly string[];
	/** What stands before the names of its members. */
	readonly prefix: string;
	readonly note?: string;
	readonly asTable?: true;
}

const TARGET =
	'A target is `{channel, topic}` with the name or ID of the channel, `{dm: [user IDs or emails]}`, or `ctx.here`.';

const SECTIONS: readonly Section[] = [
	{title: 'bot()', of: ['bot'], prefix: ''},
	{title: 'Options of bot()', of: ['BotOptions'], prefix: '', asTable: true},
	{title: 'The builder', of: ['Module'], prefix: '.'},
	{title: 'Options of .command()', of: ['CommandOptions'], prefix: '', asTable: true},
	{title: 'Options of .answer()', of: ['AnswerOptions'], prefix: '', asTable: true},
	{title: 'Options of .http()', of: ['HttpOptions'], prefix: '', asTable: true},
	{title: 'Options of .cron()', of: ['Cron'], prefix: '', asTable: true},
	{title: 'arg', of: ['arg'], prefix: 'arg.'},
	{
		title: 'ctx',
		of: ['Context', 'Actions'],
		prefix: 'ctx.',
		note:
			`${TARGET} When the time of a handler is over, or another process has taken over its delivery, every method of ` +
			'`ctx` that writes throws, and `ctx.signal` has aborted.',
	},
	{title: 'ctx of a cron', of: ['CronContext'], prefix: 'ctx.', asTable: true},
	{title: 'ctx of a later handler', of: ['LaterContext'], prefix: 'ctx.', asTable: true},
	{title: 'ctx of a reaction', of: ['ReactionContext'], prefix: 'ctx.', asTable: true},
	{title: 'ctx of an edit', of: ['EditContext'], prefix: 'ctx.', asTable: true},
	{title: 'ctx of a join', of: ['JoinContext'], prefix: 'ctx.', asTable: true},
	{title: 'ctx of a request', of: ['HttpContext'], prefix: 'ctx.', asTable: true},
	{title: 'ReceivedRequest', of: ['ReceivedRequest'], prefix: '', asTable: true},
	{title: 'Storage', of: ['Storage'], prefix: 'ctx.storage.'},
	{title: 'Drafts', of: ['Drafts'], prefix: 'ctx.drafts(account).'},
	{title: 'Sender', of: ['Sender'], prefix: '', asTable: true},
	{title: 'Me', of: ['Me'], prefix: '', asTable: true},
	{title: 'Asked', of: ['Asked'], prefix: '', asTable: true},
	{title: 'ReplyOptions', of: ['ChoiceOptions'], prefix: '', asTable: true},
	{title: 'AskOptions', of: ['AskOptions'], prefix: '', asTable: true},
	{title: 'ScheduleOptions', of: ['ScheduleOptions'], prefix: '', asTable: true},
	{title: 'LaterOptions', of: ['LaterOptions'], prefix: '', asTable: true},
	{title: 'FetchOptions', of: ['FetchOptions'], prefix: '', asTable: true},
	{title: 'DownloadOptions', of: ['DownloadOptions'], prefix: '', asTable: true},
	{title: 'TextStream', of: ['TextStream'], prefix: '', asTable: true},
	{title: 'SendHandle', of: ['SendHandle'], prefix: '', asTable: true},
	{title: 'ScheduleHandle', of: ['ScheduleHandle'], prefix: '', asTable: true},
	{title: 'ScheduledText', of: ['ScheduledText'], prefix: '', asTable: true},
	{title: 'ApiError', of: ['ApiError'], prefix: '', asTable: true},
	{title: 'NetworkError', of: ['NetworkError'], prefix: '', asTable: true},
	{title: 'ResponseError', of: ['ResponseError'], prefix: '', asTable: true},
	{title: 'SendError', of: ['SendError'], prefix: '', asTable: true},
	{title: 'FetchError', of: ['FetchError'], prefix: '', asTable: true},
	{title: 'FileError', of: ['FileError'], prefix: '', asTable: true},
	{title: 'UnknownAccount', of: ['UnknownAccount'], prefix: '', asTable: true},
];

/** One documented thing. */
interface Entry {
	readonly name: string;
	readonly signature: string;
	readonly isOptional: boolean;
	readonly about: string;
	readonly limits: string | undefined;
	readonly throws: readonly string[];
	readonly example: string | undefined;
}

interface ReadSection {
	readonly section: Section;
	/** What the doc comment of the whole says. */
	readonly about: string;
	readonly limits: string | undefined;
	readonly entries: readonly Entry[];
}

/** Markdown of the whole reference, and its examples by the names of what they show. */
export function botReference(face: string): {
	readonly markdown: string;
	readonly examples: ReadonlyMap<string, string>;
} {
	const sections = readSections(face);
	const all = sections.flatMap(({section, entries}) => (section.asTable ? [] : entries));
	const unshown = all.filter(({example}) => example === undefined).map(({name}) => name);
	if (unshown.length > 0) {
		throw new Error(`Expected an @example in the doc comments of ${unshown.join(', ')}`);
	}

	return {
		markdown: [contents(sections), ...sections.map(markdownOf)].join('\n\n'),
		examples: new Map(all.map(({name, example = ''}) => [name, example])),
	};
}

function readSections(face: string): ReadSection[] {
	const program = openProgram(face);
	const checker = program.getTypeChecker();
	const source = program.getSourceFile(face);
	const module = source && checker.getSymbolAtLocation(source);
	const exported = new Map(
		(module ? checker.getExportsOfModule(module) : []).map(symbol => [
			symbol.name,
			symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
		]),
	);
	const declarationOf = (name: string) => {
		const found = exported.get(name)?.declarations?.[0] ?? baseOf(exported.get('Context'), name, checker);
		if (!found) {
			throw new Error(`Expected ${face} to export ${name}, found ${[...exported.keys()].join(', ')}`);
		}

		return found;
	};

	return SECTIONS.map(section => {
		const declarations = section.of.map(declarationOf);
		const all = declarations.flatMap(declaration => entriesOf(declaration, section));
		// `Context` declares some members of `Actions` again, with narrower types.
		const entries = all.filter(({name}, index) => all.findIndex(other => other.name === name) === index);
		const [first] = declarations;
		const isOne = first !== undefined && ts.isFunctionDeclaration(first);
		return {
			section,
			about: first && !isOne ? aboutOf(documented(first)) : '',
			limits: first && tagsOf(documented(first), 'limits')[0],
			entries,
		};
	});
}

/** Our own sources alone: signatures are shown as they are written, so types of packages need not be known. */
function openProgram(face: string): ts.Program {
	const options = {module: ts.ModuleKind.NodeNext, types: [], noLib: true};
	const host = ts.createCompilerHost(options);
	host.resolveModuleNameLiterals = (names, from) =>
		names.map(({text}) => {
			const resolvedFileName = resolve(dirname(from), text.replace(/\.js$/, '.ts'));
			return {
				resolvedModule: text.startsWith('.') ? {resolvedFileName, extension: ts.Extension.Ts} : undefined,
			};
		});
	return ts.createProgram([face], options, host);
}

/** An interface that an exported one extends. */
function baseOf(symbol: ts.Symbol | undefined, name: string, checker: ts.TypeChecker): ts.Declaration | undefined {
	const type = symbol && checker.getDeclaredTypeOfSymbol(symbol);
	const bases = type?.isClassOrInterface() ? checker.getBaseTypes(type) : [];
	return bases.find(base => base.symbol.name === name)?.symbol.declarations?.[0];
}

function entriesOf(declaration: ts.Declaration, {prefix}: Section): Entry[] {
	if (ts.isFunctionDeclaration(declaration)) {
		const name = declaration.name?.text ?? '';
		return [entryOf(declaration, {name, signature: `${name}(options: BotOptions): Bot`})];
	}

	if (ts.isVariableDeclaration(declaration)) {
		const object = declaration.initializer;
		const properties = object && ts.isObjectLiteralExpression(object) ? object.properties : [];
		return properties.map(property => {
			const name = property.name?.getText() ?? '';
			return entryOf(property, {name: `${prefix}${name}`, signature: `${prefix}${name}()`});
		});
	}

	const members =
		ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration) ? [...declaration.members] : [];
	const seen = new Set<string>();
	return members.flatMap(member => {
		if (ts.isConstructorDeclaration(member)) {
			return member.parameters
				.filter(parameter => isReadonly(parameter) && !seen.has(parameter.name.getText()))
				.map(parameter => {
					seen.add(parameter.name.getText());
					return entryOf(parameter, {name: parameter.name.getText(), signature: typeText(parameter)});
				});
		}

		const name = member.name?.getText() ?? '';
		const isShown = !seen.has(name) && documented(member).length > 0 && !ts.isGetAccessor(member);
		const isError = ts.isClassDeclaration(declaration) && prefix === '';
		if (!(isShown || (isError && ts.isGetAccessor(member)) || ts.isPropertySignature(member)) || seen.has(name)) {
			return [];
		}

		seen.add(name);
		// The doc comment of an overloaded method stands before the first overload; the last one says most.
		const overloads = members.filter(
			other => other.name?.getText() === name && ts.isMethodDeclaration(other) && !other.body,
		);
		return [entryOf(member, {name: `${prefix}${name}`, signature: signatureOf(overloads.at(-1) ?? member, prefix)})];
	});
}

function isReadonly(parameter: ts.ParameterDeclaration): boolean {
	return parameter.modifiers?.some(({kind}) => kind === ts.SyntaxKind.ReadonlyKeyword) ?? false;
}

/** The text of a declaration without modifiers, body and our own generics. */
function signatureOf(member: ts.Node, prefix: string): string {
	const isMethod = ts.isMethodSignature(member) || ts.isMethodDeclaration(member);
	if (!isMethod) {
		return `${prefix}${(member as ts.PropertySignature).name.getText()}: ${typeText(member)}`;
	}

	const name = member.name.getText();
	const generics = member.typeParameters ? `<${member.typeParameters.map(each => each.getText()).join(', ')}>` : '';
	const parameters = member.parameters.map(each => plain(each.getText())).join(', ');
	const result = member.type?.getText() === 'this' ? 'Bot' : (member.type?.getText() ?? '');
	return `${prefix}${name}${generics}(${parameters}): ${plain(result)}`;
}

function typeText(node: ts.Node): string {
	const {type} = node as ts.PropertySignature;
	return type ? plain(type.getText()) : 'number | undefined';
}

function plain(text: string): string {
	return text
		.replaceAll(/\/\*\*[\s\S]*?\*\//g, '')
		.replaceAll(/<Session, Config>|<Config>|readonly /g, '')
		.replaceAll(/\s+/g, ' ')
		.replaceAll(/\( /g, '(')
		.replaceAll(/, \)/g, ')')
		.trim();
}

function documented(node: ts.Node): readonly ts.JSDoc[] {
	const at = ts.isVariableDeclaration(node) ? node.parent.parent : node;
	return ts.getJSDocCommentsAndTags(at).filter(ts.isJSDoc);
}

function aboutOf(docs: readonly ts.JSDoc[]): string {
	return unwrapped(ts.getTextOfJSDocComment(docs[0]?.comment) ?? '');
}

function tagsOf(docs: readonly ts.JSDoc[], name: string): string[] {
	const tags = docs.flatMap(({tags = []}) => [...tags]).filter(({tagName}) => tagName.text === name);
	return tags.map(tag => {
		// A throws tag has a type and a text; together they are what was written.
		const text = tag.getText().replace(/^@\w+\s*/, '');
		return text.replaceAll(/^[ \t]*\*[ ]?/gm, '').trim();
	});
}

/** Lines of a paragraph become one. */
function unwrapped(text: string): string {
	return text.replaceAll(/(?<!\n)\n(?!\n)/g, ' ').trim();
}

function entryOf(node: ts.Node, {name, signature}: {name: string; signature: string}): Entry {
	const docs = documented(node);
	return {
		name,
		signature,
		isOptional: ts.isPropertySignature(node) && node.questionToken !== undefined,
		about: aboutOf(docs),
		limits: tagsOf(docs, 'limits').map(unwrapped)[0],
		throws: tagsOf(docs, 'throws').map(unwrapped),
		example: tagsOf(docs, 'example')[0],
	};
}

/** Whether the section shows one function, whose heading is the section's. */
function isAlone({title}: Section): boolean {
	return title === 'bot()';
}

function contents(sections: readonly ReadSection[]): string {
	const lines = sections.map(({section, entries}) => {
		const names =
			section.asTable || isAlone(section) ? [] : entries.map(({name}) => `[\`${name}\`](#${anchorOf(name)})`);
		return `- [${section.title}](#${anchorOf(section.title)})${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
	});
	return lines.join('\n');
}

/** As GitHub makes it of a heading. */
export function anchorOf(heading: string): string {
	return heading
		.toLowerCase()
		.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
		.trim()
		.replaceAll(' ', '-');
}

function markdownOf({section, about, limits, entries}: ReadSection): string {
	const {title, note, asTable} = section;
	return [
		`## ${title}`,
		...(about === '' ? [] : [about]),
		...(limits === undefined ? [] : [`Limits: ${unwrapped(limits)}`]),
		...(note === undefined ? [] : [note]),
		...(asTable
			? entries.length > 0
				? [fieldTable(entries)]
				: []
			: entries.map(entry => (isAlone(section) ? entryMarkdown(entry).replace(/^.*\n\n/, '') : entryMarkdown(entry)))),
	].join('\n\n');
}

function fieldTable(entries: readonly Entry[]): string {
	const rows = entries.map(({name, signature, about, isOptional}) => {
		const type = signature.replace(/^[\w.]+\??: /, '').replace(/^[\w.]+(?=\()/, '');
		return `| \`${name}${isOptional ? '?' : ''}\` | \`${type.replaceAll('|', '\\|')}\` | ${about} |`;
	});
	return ['| Name | Type | Meaning |', '|---|---|---|', ...rows].join('\n');
}

function entryMarkdown({name, signature, about, limits, throws, example = ''}: Entry): string {
	return [
		`### ${name}`,
		['```ts', signature, '```'].join('\n'),
		about,
		...(limits === undefined ? [] : [`Limits: ${limits}`]),
		...throws.map(text => `Throws: ${text}`),
		['```ts', example, '```'].join('\n'),
	].join('\n\n');
}
