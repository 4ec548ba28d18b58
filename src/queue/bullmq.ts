// BullMQ, loaded as the CommonJS that it is. With `import`, Node reads each of its files twice, first for the exported
// names. That would cost every process 120 ms at its start.

import {createRequire} from 'node:module';

const require = createRequire(import.meta.url);
export const {DelayedError, Queue, UnrecoverableError, Worker} = require('bullmq') as typeof import('bullmq');
