// One server of the receiver benchmark in a process of its own, so that its CPU time is its alone.

import {once} from 'node:events';
import type {AddressInfo} from 'node:net';
import {monitorEventLoopDelay} from 'node:perf_hooks';
import {type Bot, bot} from '../../src/bot/bot.js';
import {readSettings} from '../../src/config/settings.js';
import type {BotAccount} from '../../src/host/bots.js';
import {openReceiver} from '../../src/host/receiving.js';
import {createTeardown} from '../../src/host/teardown.js';
import {version} from '../../src/host/version.js';
import {createLog} from '../../src/log.js';
import {koaServer, rawServer} from './floor.js';
import {EMAILS, SITE, TOKEN} from './load.js';
import type {Usage} from './server.js';

const [kind = '', redisUrl = ''] = process.argv.slice(2);

const echo = bot({about: 'Says again', perMinute: 0})
	.on('mention', ctx => ctx.reply(ctx.fullText))
	.on('direct_message', ctx => ctx.reply(ctx.fullText));

async function openBothy(): Promise<string> {
	const log = createLog({version, level: 'info', pretty: false});
	const settings = {...readSettings({}), PORT: 0};
	const accounts = EMAILS.map(
		(email, index): BotAccount => ({
			name: `echo-${index}`,
			email,
			key: 'k'.repeat(32),
			site: SITE,
			tokens: [TOKEN],
			bot: 'echo',
			...echo.rules,
			// A bot without a session.
			work: echo as unknown as Bot<unknown, unknown>,
			settings: undefined,
		}),
	);
	return openReceiver(
		{
			settings,
			log,
			teardown: createTeardown(error => log.error({err: error}, 'could not close a part of this process')),
		},
		{redisUrl, accounts, listen: {host: '127.0.0.1', port: 0}, process: 'bench', isDead: () => false},
	);
}

async function openBare(): Promise<string> {
	const server = kind === 'koa' ? koaServer(TOKEN) : rawServer(TOKEN);
	server.keepAliveTimeout = 65_000;
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const url = kind === 'bothy' ? await openBothy() : await openBare();
const loopDelay = monitorEventLoopDelay({resolution: 1});
loopDelay.enable();
process.on('message', () => {
	const {user, system} = process.cpuUsage();
	const usage: Usage = {
		cpuMs: (user + system) / 1000,
		rssMiB: process.memoryUsage.rss() / 2 ** 20,
		loopDelayP99Ms: loopDelay.percentile(99) / 1e6,
	};
	loopDelay.reset();
	process.send?.(usage);
});
process.once('SIGTERM', () => process.exit(0));
process.once('disconnect', () => process.exit(0));
process.send?.({url});
