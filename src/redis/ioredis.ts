// ioredis, loaded as `queue/bullmq.ts` loads BullMQ.

import {createRequire} from 'node:module';
import type * as ioredis from 'ioredis';

const require = createRequire(import.meta.url);
export const {Cluster, Redis, SentinelConnector} = require('ioredis') as typeof import('ioredis');
export type Cluster = ioredis.Cluster;
export type Redis = ioredis.Redis;
export type SentinelConnector = ioredis.SentinelConnector;
