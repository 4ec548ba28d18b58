// Certificates for the connection to a site.

import {readFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {resolve} from 'node:path';
import {ConfigError, reasonOf} from './error.js';
import type {Section} from './sections.js';

/** Certificates as PEM text (`cert_bundle`, `client_cert`, `client_cert_key`, `insecure`). */
export interface Tls {
	readonly ca?: string;
	readonly cert?: string;
	readonly key?: string;
	readonly rejectUnauthorized?: false;
}

/** The keys are those of a `zuliprc`. File names are relative to the working folder. */
export function readTls(section: Section): Tls | undefined {
	const insecure = section.value('insecure')?.trim().toLowerCase();
	if (insecure !== undefined && insecure !== 'true' && insecure !== 'false') {
		throw new ConfigError(
			`${section.placeOf('insecure')}: expected \`true\` or \`false\` in \`insecure\`, found "${insecure}"`,
		);
	}

	const [ca, cert, key] = ['cert_bundle', 'client_cert', 'client_cert_key'].map(name => readPem(section, name));
	if (key !== undefined && cert === undefined) {
		throw new ConfigError(
			`${section.placeOf('client_cert_key')}: expected \`client_cert\` together with \`client_cert_key\`, found none`,
		);
	}

	// One file may contain a certificate and its key.
	const own = cert === undefined ? {} : {cert, key: key ?? cert};
	const trusted = insecure === 'true' ? {rejectUnauthorized: false as const} : ca === undefined ? {} : {ca};
	const tls = {...own, ...trusted};
	return Object.keys(tls).length > 0 ? tls : undefined;
}

function readPem(section: Section, name: string): string | undefined {
	const file = section.value(name)?.trim();
	if (!file) {
		return undefined;
	}

	const place = section.placeOf(name);
	let text: string;
	try {
		text = readFileSync(resolve(file.replace(/^~(?=\/)/, homedir())), 'utf8');
	} catch (error) {
		throw new ConfigError(`${place}: expected a readable file in \`${name}\`, found ${file} (${reasonOf(error)})`);
	}

	if (!text.includes('-----BEGIN ')) {
		throw new ConfigError(`${place}: expected certificates as PEM text in \`${name}\`, found none in ${file}`);
	}

	return text;
}
