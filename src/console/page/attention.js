// Needs attention: one line for each trouble, with its cause, since when, and what to do. Below it, what operators did.

import {html} from 'htm/preact';
import {linkTo} from './location.js';
import {ActionButton, Code, Failure, Outcome} from './parts.js';
import {useScreen} from './poll.js';
import {clock, Since, Time} from './time.js';

export function Attention({onSignedOut}) {
	const {data, readAt, error, outcome, onDone} = useScreen('attention', {onSignedOut});

	return html`
		<main class="screen ${error ? 'stale' : ''}">
			<h1>Needs attention ${data && html`<span class="count">${data.findings.length}</span>`}</h1>
			<${Failure} ...${{error, readAt}} />
			<${Outcome} outcome=${outcome} />
			${data && data.findings.length > 0 && html`<${Findings} ...${{data, onDone}} />`}
			${data && html`<${Checked} data=${data} />`}
			${data && html`<${Audit} lines=${data.audit} />`}
		</main>
	`;
}

function Findings({data: {findings, now}, onDone}) {
	return html`
		<ul class="findings">
			${keyed(findings).map(
				({key, finding}) => html`
					<li key=${key} data-status=${finding.status}>
						<span class="badge is-${finding.status}">${finding.status}</span>
						<strong class="about">${finding.about}</strong>
						<span class="cause">
							<span><${Code} text=${finding.text} /></span>
							${finding.cure && html`<small class="quiet"><${Code} text=${finding.cure} /></small>`}
						</span>
						<span class="since quiet">${finding.since > 0 && html`<${Since} at=${finding.since} now=${now} />`}</span>
						<span class="act"><${Fix} ...${{finding, onDone}} /></span>
					</li>
				`,
			)}
		</ul>
	`;
}

/** A line keeps its place in the document, and so the focus, while its text changes. */
function keyed(findings) {
	const counts = new Map();
	return findings.map(finding => {
		const same = JSON.stringify([finding.kind, finding.about, finding.cron]);
		counts.set(same, (counts.get(same) ?? 0) + 1);
		return {key: `${same} ${counts.get(same)}`, finding};
	});
}

/** One action for each kind. */
function Fix({finding: {kind, about, account, delivery, cron}, onDone}) {
	if (kind === 'paused') {
		return html`<${ActionButton} action=${{action: 'resume', account}} label="Resume" about=${about} onDone=${onDone} />`;
	}

	if (kind === 'missed-cron') {
		const action = {action: 'run schedule', account, id: cron};
		return html`<${ActionButton} action=${action} label="Run now" about=${cron} onDone=${onDone} />`;
	}

	if (delivery !== undefined) {
		const status = kind === 'unsettled' ? 'failed' : kind;
		return html`<a class="button" ...${linkTo({view: 'deliveries', account, status, of: account, id: delivery})}>Open delivery</a>`;
	}

	if (kind === 'slow' || kind === 'flood') {
		const status = kind === 'flood' ? 'flood' : undefined;
		return html`<a class="button" ...${linkTo({view: 'deliveries', account, status})}>Show deliveries</a>`;
	}

	// Nothing here says more of Redis than its line.
	return kind === 'redis' ? null : html`<a class="button" ...${linkTo({view: 'health', account})}>Show health</a>`;
}

function Checked({data: {now, findings, checked, accounts}}) {
	return html`
		<section class="checked">
			${findings.length === 0 && html`<p class="calm">Nothing needs attention.</p>`}
			<p class="quiet">
				Checked at ${clock(now)}: ${accounts} ${accounts === 1 ? 'account' : 'accounts'} for failed and parked deliveries, unsettled sends,
				pauses, wrong tokens, failing calls, broken plugins, missed crons, slow answers and presence.
				${checked.length > 0 && html` <${Code} text=${`${checked.join('; ')}.`} />`}
			</p>
		</section>
	`;
}

function Audit({lines}) {
	return html`
		<section>
			<h2>Latest actions</h2>
			${lines.length === 0 && html`<p class="quiet">Nobody has done anything yet.</p>`}
			${
				lines.length > 0 &&
				html`
					<div class="table" tabindex="0" role="region" aria-label="Latest actions">
						<table>
							<thead><tr><th>Time</th><th>Who</th><th>What</th><th>About</th><th>Outcome</th></tr></thead>
							<tbody>
								${lines.map(
									line => html`
										<tr key=${JSON.stringify(line)}>
											<td><${Time} at=${line.at} /></td>
											<td>${line.who} <span class="quiet">${line.from}</span></td>
											<td>${line.what}</td>
											<td>${line.about}</td>
											<td>${line.outcome}</td>
										</tr>
									`,
								)}
							</tbody>
						</table>
					</div>
				`
			}
		</section>
	`;
}
