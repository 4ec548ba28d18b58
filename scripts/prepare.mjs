// Runs before every other command: sets up dependencies, Redis, a browser and the build. Uses no imports and no new syntax,
// so that an old Node reaches the message.

var version = process.versions.node.split('.').map(Number);

if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
	// biome-ignore lint/style/useTemplate: an old Node would not get as far as the message.
	console.error('Bothy needs Node 20.19 or newer, this is ' + process.versions.node + ': https://nodejs.org');
	process.exit(1);
}

import('./set-up.mjs').then(module => module.setUp(process.argv.slice(2)));
