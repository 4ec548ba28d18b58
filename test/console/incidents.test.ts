// Ten incidents, staged through the real stores and services. An operator reads each cause within two clicks, and acts on the page;
// what came of it is looked up at the service or in Redis.

import {writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import type {Page} from 'playwright-core';
import {ApiError} from '../../src/client/errors.js';
import {createRedisStore} from '../../src/delivery/redis-store.js';
import {workRef, workText} from '../../src/delivery/work.js';
import {createTroubles} from '../../src/host/checks/troubles.js';
import {pauseBot} from '../../src/host/paused-bots.js';
import {createLog} from '../../src/log.js';
import {createOutboxStore} from '../../src/outbox/store.js';
import {accountTag} from '../../src/redis/account-key.js';
