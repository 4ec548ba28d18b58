import {readFileSync} from 'node:fs';

/** Folder of the package: where package.json, `dist/` and `src/` stand. */
export const packageFolder = new URL('../../../', import.meta.url);

interface Manifest {
	readonly version: string;
}

const manifest = JSON.parse(readFileSync(new URL('package.json', packageFolder), 'utf8')) as Manifest;

/** Version of this package, from its package.json. */
export const version = manifest.version;
