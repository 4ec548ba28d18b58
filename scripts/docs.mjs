// `npm run docs`: writes the generated parts of the docs.

import {writeFileSync} from 'node:fs';

const {generated} = await import(new URL('../dist/test/docs/generated.js', import.meta.url).href);
for (const [file, text] of await generated()) {
	writeFileSync(new URL(`../${file}`, import.meta.url), text);
}
