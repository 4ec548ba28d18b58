#!/usr/bin/env node

// The command line. Only `cli/` and `host/` open Redis and ports and read the environment.

import {createProgram} from './cli/program.js';
import {explain} from './host/explain.js';

try {
	await createProgram().parseAsync();
} catch (error) {
	process.stderr.write(`${explain(error)}\n`);
	process.exit(1);
}
