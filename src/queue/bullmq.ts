// BullMQ, loaded as the CommonJS that it is. An `import` of it reads each of its files twice, first for the names that it
// exports, and every process that starts would spend 120 ms on that.

import {createRequire} from 'node:module';

const require = createRequire(import.meta.url);
export const {DelayedError, Queue, UnrecoverableError, Worker} = require('bullmq') as typeof import('bullmq');
