// The documents that `npm run docs` writes, by their paths.

import {apiDocument} from './api.js';

export async function generated(): Promise<Map<string, string>> {
	return new Map([['docs/api.md', await apiDocument()]]);
}
