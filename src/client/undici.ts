// undici, loaded at the first call. It takes 100 ms of CPU time and several MB, and many receivers never call the service.

import {createRequire} from 'node:module';

const require = createRequire(import.meta.url);

export function loadUndici(): typeof import('undici') {
	return require('undici');
}
