// `npm run docs`: prints the wire table to docs/api.md.

import {writeFileSync} from 'node:fs';

const {reference} = await import(new URL('../dist/src/api/reference.js', import.meta.url).href);
writeFileSync(new URL('../docs/api.md', import.meta.url), reference());
