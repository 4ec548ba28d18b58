// What axe finds serious on a page.

import {readFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import type {Page} from 'playwright-core';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** @param part selects the part of the page to look at */
export async function seriousViolations(page: Page, part = 'html'): Promise<string[]> {
	// Through the browser's own door, so that the page's policy is no obstacle.
	await page.evaluate(await readFile(axe, 'utf8'));
	const violations = await page.evaluate<Array<{id: string; impact: string; nodes: Array<{html: string}>}>>(
		`axe.run('${part}').then(results => results.violations)`,
	);

	return violations
		.filter(({impact}) => impact === 'serious' || impact === 'critical')
		.flatMap(({id, nodes}) => nodes.map(node => `${id}: ${node.html}`));
}
