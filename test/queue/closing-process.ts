// A process that closes its worker while Redis is away, and has no other work. Its argument is a folder for Redis.

import {z} from '../../src/api/zod.js';
import {defineQueue} from '../../src/queue/define-queue.js';
import {defineWorker, startWorker} from '../../src/queue/define-worker.js';
import {connectRedis} from '../../src/redis/connection.js';
import {startOwnRedis} from '../faults/trouble/own-redis.js';

const redis = await startOwnRedis(process.argv[2] ?? '');
const connection = connectRedis(redis.url, {listener: {onLost() {}, onBack() {}}});
const queue = defineQueue({name: 'numbers', schema: z.object({}), result: z.object({})});
const log = {info() {}, warn() {}, error() {}};
const definition = defineWorker({queue, concurrency: 1, run: async (_, _tools: {log: typeof log}) => ({})});
const worker = await startWorker(definition, connection, {log});
await redis.stop();
await worker.close();
connection.disconnect();
