// `bothy console`: the operator's console alone. `bothy web` serves it too if CONSOLE_PORT is set.

import {needToken} from '../console/admin-token.js';
import {openConsole} from '../console/open-console.js';
import {openRedis} from '../host/connections.js';
import {say} from '../host/print.js';
import {run} from '../host/run.js';
import {findAccounts} from './once.js';

export const runConsole = () =>
	run(async host => {
		// Before anything starts: without a token there is no console.
		needToken(host.settings);
		findAccounts(host);
		const redisUrl = await openRedis(host);
		// A closed terminal ends it.
		const reloads = !process.stdout.isTTY;
		const url = await openConsole(host, {redisUrl, accountsOf: findAccounts, env: process.env, reloads});
		say(host, `  Console    ${url}`);
	});
