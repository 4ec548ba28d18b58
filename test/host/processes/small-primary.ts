// A primary in its own process, with small receivers. Prints their URL, rolls on SIGHUP, closes on SIGTERM.

import {fileURLToPath} from 'node:url';
import {listenTarget} from '../../../src/host/processes/listening-socket.js';
import {openPrimary} from '../../../src/host/processes/primary.js';

const primary = await openPrimary({
	count: 2,
	exec: fileURLToPath(new URL('small-receiver.js', import.meta.url)),
	args: [],
	listen: listenTarget(process.env, {host: '127.0.0.1', port: 0}),
	log: {info() {}, warn() {}, error() {}},
	graceMs: 5000,
});
await primary.start();
process.stdout.write(`${primary.address()}\n`);
process.once('SIGTERM', async () => {
	await primary.close();
	process.exit(0);
});
