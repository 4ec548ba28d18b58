import {readFileSync} from 'node:fs';

/** The package's folder, with package.json, `dist/` and `src/`. */
export const packageFolder = new URL('../../../', import.meta.url);

interface Manifest {
	readonly version: string;
}

const manifest = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as Manifest;

export const version = manifest.version;
