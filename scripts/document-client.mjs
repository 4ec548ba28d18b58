// Writes the operations' own words into the types of the built client, so that editors show them for `ctx.api.…` and for each
// parameter. The table has them as values, which the compiler does not see.

import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const MAPPED = /type Methods = \{\n\s+readonly \[N in OperationName\][^\n]+\n\};/;
const WRITTEN = /interface Methods \{\n[\s\S]*?\n\}/;

/** `output` is the folder of the build; a part of the sources may have no client. */
export async function documentClient(output) {
	const file = path.join(output, 'src', 'client', 'client.d.ts');
	if (!existsSync(file)) {
		return;
	}

	const types = readFileSync(file, 'utf8');
	const found = MAPPED.exec(types) ?? WRITTEN.exec(types);
	if (!found) {
		throw new Error(`Expected the client's methods in ${file}, found none`);
	}

	const {operations} = await import(pathToFileURL(path.join(output, 'src', 'api', 'index.js')).href);
	const methods = Object.values(operations).map(methodOf).join('\n');
	writeFileSync(
		file,
		types.replace(found[0], () => `interface Methods {\n${methods}\n}`),
	);
}

function methodOf({name, about, method, path: route, parameters}) {
	const of = `Operations['${name}']`;
	const fields = Object.entries(parameters).map(([key, {about: words, required}]) => {
		const mark = required ? '' : '?';
		return `\t\t${commentOf(words)}\n\t\t${key}${mark}: ParametersOf<${of}>['${key}']${required ? '' : ' | undefined'};`;
	});
	const isOptional = !Object.values(parameters).some(({required}) => required);
	const given = fields.length === 0 ? 'Record<string, never>' : `{\n${fields.join('\n')}\n\t}`;
	return [
		`\t${commentOf(`${about}. (${method} ${route})`)}`,
		`\treadonly ${name}: (parameters${isOptional ? '?' : ''}: ${given}, options?: CallOptions) => Promise<ResultOf<${of}>>;`,
	].join('\n');
}

function commentOf(words) {
	return `/** ${words.replaceAll('*/', '* /').replaceAll('\n', ' ')} */`;
}
