// Preloaded into each process of a house (`node --import`): its clock stands at the time that a file holds, until whoever
// writes the file moves it, for all processes at the same instant. What is measured in passing goes on by itself, and by the
// moves; timers run as ever.

import {openSync, readSync} from 'node:fs';
import {Redis} from 'ioredis';
import {CLOCK_FILE} from './clock-file.js';

const file = openSync(process.env[CLOCK_FILE] ?? '', 'r');
const bytes = Buffer.alloc(8);

/** Milliseconds since 1970. */
function now(): number {
	readSync(file, bytes, 0, 8, 0);
	return bytes.readDoubleLE();
}

const startedAt = now();
const elapsed = performance.now.bind(performance);
performance.now = () => elapsed() + now() - startedAt;

globalThis.Date = new Proxy(Date, {
	get: (real, name) => (name === 'now' ? now : Reflect.get(real, name)),
	apply: real => String(new real(now())),
	construct: (real, words, made) => Reflect.construct(real, words.length === 0 ? [now()] : words, made),
});

// Redis cannot be told the time, so it is told what to take for it. Our scripts ask in one way.
const TIME = /redis\.call\('TIME'\)/g;
const send = Redis.prototype.sendCommand;
Redis.prototype.sendCommand = function sendWithTime(command, stream) {
	const [script] = command.args;
	if (command.name === 'eval' && typeof script === 'string') {
		const [seconds, micros] = redisTime();
		command.args[0] = script.replace(TIME, `{${seconds}, ${micros}}`);
		if (/['"]TIME['"]/i.test(command.args[0])) {
			throw new Error("Expected scripts to ask for the time by redis.call('TIME'), found another way");
		}
	}

	return send.call(this, command, stream);
};
Redis.prototype.time = async () => redisTime();

/** Seconds, and microseconds besides. */
function redisTime(): [number, number] {
	const ms = now();
	return [Math.floor(ms / 1_000), (ms % 1_000) * 1_000];
}
