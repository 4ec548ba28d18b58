// What only the local realm needs: a host in production has none of it.

import {realmPackages} from '../host/version.js';
import {CommandError} from './once.js';

/** @throws CommandError that says how to install what only the realm needs. */
export function needRealmPackages(): void {
	const missing = Object.entries(realmPackages).filter(([name]) => !isInstalled(name));
	if (missing.length > 0) {
		const words = missing.map(([name, range]) => `${name}@${range}`).join(' ');
		throw new CommandError(
			`The local realm needs packages that are not installed. Run \`npm install --save-dev ${words}\``,
		);
	}
}

function isInstalled(name: string): boolean {
	try {
		import.meta.resolve(name);
		return true;
	} catch {
		return false;
	}
}
