// Health: processes, workers, bots and their accounts, schedules, drafts and presence.

import {html} from 'htm/preact';
import {ActionButton, Failure, Outcome, useScreen} from './poll.js';
import {Since, span, Time} from './time.js';

export function Health({onSignedOut}) {
	const {data, error, outcome, onDone} = useScreen('health', {onSignedOut});

	return html`
		<main class="screen">
			<h1>Health</h1>
			<${Failure} error=${error} />
			<${Outcome} outcome=${outcome} />
			${data && html`<${Tables} ...${{data, onDone}} />`}
		</main>
	`;
}

function Tables({data, onDone}) {
	const {now, processes, queues, bots, schedules, conflicts, presence, sweptAt} = data;
	return html`
		<div class="beside">
			<${Table} title="Processes" head=${['Host', 'Process', 'Version', 'Roles', 'Up for']} none="No process announces itself. Start \`bothy web\` and \`bothy worker\`."
				rows=${processes.map(({host, pid, version, node, roles, startedAt}) => [host, String(pid), `${version}, Node ${node}`, roles.join(', '), span(now - startedAt)])} />
			<${Table} title="Workers" head=${['Queue', 'Workers', 'Waiting', 'Running', 'Delayed', 'Failed', 'Oldest waits']}
				rows=${queues.map(queueRow(now))}
				note=${sweptAt === 0 ? 'No worker has ever swept for lost work.' : html`Last sweep: <${Since} at=${sweptAt} now=${now} />.`} />
		</div>
		<${Table} title="Bots" head=${['Bot', 'About', 'Last hour', 'Failed', 'Open', 'Held', 'p50', 'p99', '']} rows=${bots.map(botRow(onDone))} />
		<${Table} title="Accounts" head=${['Account', 'Site', 'Gets', 'Feature level', 'Key', 'Rate limit']} rows=${bots.map(accountRow)} />
		<${Table} title="Schedules" head=${['Next', 'Bot', 'Schedule', 'What', 'Last', 'Missed', '']} none="Nothing is scheduled."
			rows=${schedules.map(scheduleRow(onDone, now))} />
		<div class="beside">
			<${Table} title="Drafts in conflict" head=${['Account', 'Drafts']} none="None: no draft was changed by a person and a bot."
				rows=${conflicts.map(({bot, count}) => [bot, String(count)])} />
			<${Table} title="Presence" head=${['Account', 'Status', 'Last ping', 'Problem']} none="No account has \`presence\`."
				rows=${presence.map(({bot, status, pingedAt, problem}) => [bot, status, pingedAt ? html`<${Since} at=${pingedAt} now=${now} />` : 'never', problem ?? ''])} />
		</div>
	`;
}

function Table({title, head, rows, none = '', note = undefined}) {
	return html`
		<section>
			<h2>${title}</h2>
			${rows.length === 0 && html`<p class="quiet">${none}</p>`}
			${
				rows.length > 0 &&
				html`<div class="table" tabindex="0" role="region" aria-label=${title}>
					<table>
						<thead><tr>${head.map(name => (name === '' ? html`<td></td>` : html`<th key=${name} scope="col">${name}</th>`))}</tr></thead>
						<tbody>${rows.map((cells, index) => html`<tr key=${index}>${cells.map((cell, column) => html`<td key=${column}>${cell}</td>`)}</tr>`)}</tbody>
					</table>
				</div>`
			}
			${note && html`<p class="quiet">${note}</p>`}
		</section>
	`;
}

const queueRow = now => queue => {
	const {name, workers, isNeeded, counts, oldestAt} = queue;
	const count = workers === 0 && isNeeded ? html`<span class="badge is-error">none</span>` : String(workers);
	const numbers = [counts.waiting, counts.active, counts.delayed, counts.failed].map(number => String(number ?? 0));
	return [name, count, ...numbers, oldestAt === undefined ? '–' : span(now - oldestAt)];
};

const botRow = onDone => bot => {
	const {name, account, about, problem, isPaused, lastHour, failed, open, held, p50, p99} = bot;
	const state = isPaused && html`<span class="badge is-warning">paused</span>`;
	const buttons = isPaused
		? html`<${ActionButton} action=${{action: 'resume', account}} label="Resume" name=${`Resume ${name}`} onDone=${onDone} />`
		: html`<${ActionButton} action=${{action: 'pause', account}} label="Pause" name=${`Pause ${name}`} onDone=${onDone} />
				<${ActionButton} action=${{action: 'hold', account}} label="Hold" name=${`Hold messages to ${name}`} onDone=${onDone} />`;
	return [
		html`<strong>${name}</strong> ${state}`,
		problem === undefined ? (about ?? '–') : html`<span class="trouble">does not run: ${problem}</span>`,
		...[lastHour, failed, open, held].map(String),
		...[p50, p99].map(ms => (ms === undefined ? '–' : span(ms))),
		html`<span class="actions">${buttons}</span>`,
	];
};

function accountRow({email, site, receive, level, version, keyProblem, isKeyKnown, pauseMs}) {
	const key = keyProblem ? html`<span class="trouble">${keyProblem}</span>` : isKeyKnown ? 'works' : 'not checked yet';
	return [
		email,
		site,
		receive,
		level === undefined ? 'unknown' : `${level} (${version})`,
		key,
		pauseMs > 0 ? html`<span class="badge is-warning">waits ${span(pauseMs)}</span>` : 'free',
	];
}

const scheduleRow = (onDone, now) => schedule => {
	const {bot, account, id, dueAt, lastAt, what, isInCode, missed} = schedule;
	const of = {account, id};
	return [
		html`<${Time} at=${dueAt} now=${now} />`,
		bot,
		id,
		what,
		lastAt === 0 ? 'never' : html`<${Time} at=${lastAt} now=${now} />`,
		missed === 0 ? '0' : html`<span class="badge is-warning">${missed}</span>`,
		html`<span class="actions">
			<${ActionButton} action=${{action: 'run schedule', ...of}} label="Run now" name=${`Run now: ${id}`} onDone=${onDone} />
			${!isInCode && html`<${ActionButton} action=${{action: 'cancel schedule', ...of}} label="Cancel" name=${`Cancel ${id}`} onDone=${onDone} />`}
		</span>`,
	];
};
