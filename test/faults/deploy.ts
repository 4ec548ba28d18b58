// `npm run faults deploy`: two hosts are replaced again and again while people write and a handler takes long. With
// `--short` each of them once.

import {type DeploySize, runDeploy} from './deploy-run.js';

const FULL: DeploySize = {perSecond: 30, loadMs: 300_000, rounds: 10, handlerMs: 45_000, handlerEveryMs: 7_500};
const SHORT: DeploySize = {perSecond: 30, loadMs: 13_000, rounds: 0.5, handlerMs: 11_000, handlerEveryMs: 2_000};

// What it has started ends with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => process.exit(1));
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const size = {
	...(process.argv.includes('--short') ? SHORT : FULL),
	...(JSON.parse(process.env.FAULTS_SIZE || '{}') as Partial<DeploySize>),
};
say('deploy, with 2 hosts');
const {failed, lost, doubled, wrong, all} = await runDeploy(size, say);
say(`failed answers ${failed}, parked or failed to be posted ${wrong}`);
say(`lost ${lost}, doubled ${doubled} of ${all}`);
process.exit(failed + wrong + lost + doubled === 0 ? 0 : 1);
