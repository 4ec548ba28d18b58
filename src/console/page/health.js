// Health: processes, workers, bots and their accounts, schedules, drafts and presence.

import {html} from 'htm/preact';
import {useEffect, useRef} from 'preact/hooks';
import {linkTo} from './location.js';
import {ActionButton, Code, Failure, Outcome} from './parts.js';
import {useScreen} from './poll.js';
import {Since, span, Time} from './time.js';

/** `location` may name an account, which is then marked. */
export function Health({location, onSignedOut}) {
	const {data, readAt, error, outcome, onDone} = useScreen('health', {onSignedOut});

	return html`
		<main class="screen ${error ? 'stale' : ''}">
			<h1>Health</h1>
			<${Failure} ...${{error, readAt}} />
			<${Outcome} outcome=${outcome} />
			${data && html`<${Tables} ...${{data, onDone, marked: location.get('account')}} />`}
		</main>
	`;
}

function Tables({data, onDone, marked}) {
	const {now, processes, queues, bots, schedules, conflicts, presence, sweptAt} = data;
	return html`
		<div class="beside">
			<${Table} title="Processes" head=${['Host', 'Process', 'Version', 'Roles', 'Up for']} none="No process runs. Start bothy web and bothy worker."
				rows=${processes.map(({host, pid, version, node, roles, startedAt}) => row(`${host} ${pid} ${roles}`, [host, String(pid), `${version}, Node ${node}`, roles.join(', '), span(now - startedAt)]))} />
			<${Table} title="Workers" head=${['Queue', 'Workers', 'Waiting', 'Running', 'Delayed', 'Failed', 'Oldest waits']}
				rows=${queues.map(queueRow(now))}
				note=${sweptAt === 0 ? 'No worker has ever swept for lost work.' : html`Last sweep: <${Since} at=${sweptAt} now=${now} />.`} />
		</div>
		<${Table} title="Bots" head=${['Bot', 'About', 'Last hour', 'Failed', 'Open', 'Held', 'p50', 'p99', '']} rows=${bots.map(botRow(onDone))} marked=${marked}
			note="A paused bot answers that it is paused. On hold, messages to it wait until you resume it." />
		<${Table} title="Accounts" head=${['Account', 'Site', 'Receives', 'Feature level', 'Key', 'Rate limit']} rows=${bots.map(accountRow)} marked=${marked} />
		<${Table} title="Schedules" head=${['Next', 'Bot', 'Schedule', 'What', 'Last', 'Missed', '']} none="Nothing is scheduled."
			rows=${schedules.map(scheduleRow(onDone, now))} />
		<div class="beside">
			<${Table} title="Drafts in conflict" head=${['Account', 'Drafts']} none="No draft was changed by a person and a bot at the same time."
				rows=${conflicts.map(({bot, count}) => row(bot, [bot, String(count)]))} />
			<${Table} title="Presence" head=${['Account', 'Status', 'Last ping', 'Problem']} none="No account sets presence."
				rows=${presence.map(({bot, status, pingedAt, problem}) => row(bot, [bot, status, pingedAt ? html`<${Since} at=${pingedAt} now=${now} />` : 'never', html`<${Code} text=${problem ?? ''} />`]))} />
		</div>
	`;
}

/** Its key keeps buttons with what they act on while other rows come and go. */
const row = (key, cells) => ({key, cells});

function Table({title, head, rows, none = '', note = undefined, marked = null}) {
	const markedRow = useRef(null);
	useEffect(() => markedRow.current?.scrollIntoView({block: 'center'}), [marked]);
	return html`
		<section>
			<h2>${title}</h2>
			${rows.length === 0 && html`<p class="quiet">${none}</p>`}
			${
				rows.length > 0 &&
				html`<div class="table" tabindex="0" role="region" aria-label=${title}>
					<table>
						<thead><tr>${head.map(name => (name === '' ? html`<td></td>` : html`<th key=${name} scope="col">${name}</th>`))}</tr></thead>
						<tbody>${rows.map(({key, cells}) => html`<tr key=${key} ref=${key === marked ? markedRow : undefined} class=${key === marked ? 'shown' : ''}>${cells.map((cell, column) => html`<td key=${column}>${cell}</td>`)}</tr>`)}</tbody>
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
	return row(name, [name, count, ...numbers, oldestAt === undefined ? '–' : span(now - oldestAt)]);
};

const botRow = onDone => bot => {
	const {name, account, about, problem, isPaused, lastHour, failed, open, held, p50, p99} = bot;
	const state = isPaused && html`<span class="badge is-warning">paused</span>`;
	const buttons = isPaused
		? html`<${ActionButton} action=${{action: 'resume', account}} label="Resume" about=${name} onDone=${onDone} />`
		: html`<${ActionButton} action=${{action: 'pause', account}} label="Pause" about=${name} onDone=${onDone} />
				<${ActionButton} action=${{action: 'hold', account}} label="Hold" about=${`messages to ${name}`} onDone=${onDone} />`;
	return row(account, [
		html`<a ...${linkTo({view: 'deliveries', account})}>${name}</a> ${state}`,
		problem === undefined
			? (about ?? '–')
			: html`<span class="trouble">does not run: <${Code} text=${problem} /></span>`,
		...[lastHour, failed, open, held].map(String),
		...[p50, p99].map(ms => (ms === undefined ? '–' : span(ms))),
		html`<span class="actions">${buttons}</span>`,
	]);
};

function accountRow({account, email, site, receive, level, version, keyProblem, isKeyKnown, pauseMs, wrongTokens}) {
	const key = keyProblem
		? html`<span class="trouble"><${Code} text=${keyProblem} /></span>`
		: isKeyKnown
			? 'works'
			: 'not checked yet';
	return row(account, [
		email,
		site,
		html`${receive} ${wrongTokens > 0 && html`<span class="badge is-warning">${wrongTokens} with a wrong token</span>`}`,
		level === undefined ? 'unknown' : `${level} (${version})`,
		key,
		pauseMs > 0 ? html`<span class="badge is-warning">waits ${span(pauseMs)}</span>` : 'none',
	]);
}

const scheduleRow = (onDone, now) => schedule => {
	const {bot, account, id, dueAt, lastAt, what, isInCode, missed} = schedule;
	const of = {account, id};
	return row(`${account} ${id} ${isInCode}`, [
		html`<${Time} at=${dueAt} now=${now} />`,
		bot,
		id,
		what,
		lastAt === 0 ? 'never' : html`<${Time} at=${lastAt} now=${now} />`,
		missed === 0 ? '0' : html`<span class="badge is-warning">${missed}</span>`,
		html`<span class="actions">
			<${ActionButton} action=${{action: 'run schedule', ...of}} label="Run now" about=${id} onDone=${onDone} />
			${!isInCode && html`<${ActionButton} action=${{action: 'cancel schedule', ...of}} label="Cancel" sure="Cancel for good" about=${id} onDone=${onDone} />`}
		</span>`,
	]);
};
