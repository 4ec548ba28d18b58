// Where the playground appears: a drawer beside the conversation, and a line below each message.

import {html} from 'htm/preact';
import {Beside, OpenBeside} from './beside.js';
import {Bots} from './bots.js';
import {Due} from './due.js';
import {Faults} from './faults.js';
import {playground, show, useFollowing, useKnown} from './follow.js';
import {summarize} from './summary.js';
import {Wire} from './wire.js';

const tabs = {
	wire: {title: 'Wire', Panel: Wire},
	faults: {title: 'Faults', Panel: Faults},
	bots: {title: 'Bots', Panel: Bots},
	due: {title: 'Due', Panel: Due},
};

/** A drawer on the right of the chat; on a narrow screen, a sheet. Stays mounted while the person changes places. */
export function Playground({state, chat}) {
	useFollowing();
	const {isOpen, tab, beside} = useKnown(known => known);
	const broken = useKnown(({bots}) => bots);
	const failed = brokenBots(broken);
	const close = () => playground.update(known => ({...known, isOpen: false}));
	const {title, Panel} = tabs[tab];

	return html`
		<div class=${`playground${isOpen ? ' open' : ''}`}>
			${failed && html`<button type="button" class="broken" onClick=${() => show({tab: 'bots'})}><span role="status">${failed}</span></button>`}
			${!isOpen && html`<button type="button" class="opener" onClick=${() => show({})}>Playground</button>`}
			${
				isOpen &&
				html`
					<section class="drawer" aria-label="Playground" onKeyDown=${event => event.key === 'Escape' && close()}>
						<header>
							<div role="tablist" aria-label="Playground" onKeyDown=${moveTab}>
								${Object.entries(tabs).map(
									([name, {title: label}]) => html`
										<button key=${name} type="button" role="tab" id=${`tab-${name}`} aria-selected=${name === tab}
											aria-controls="playground-panel" tabindex=${name === tab ? 0 : -1} onClick=${() => show({tab: name})}>${label}</button>
									`,
								)}
							</div>
							<button type="button" class="close" aria-label="Close the playground" onClick=${close}>×</button>
						</header>
						<div role="tabpanel" id="playground-panel" aria-labelledby=${`tab-${tab}`} tabindex="0" key=${title}>
							<${Panel} ...${{state, chat}} />
						</div>
						<${OpenBeside} state=${state} />
					</section>
				`
			}
			${beside && html`<${Beside} key=${beside.user_id} person=${beside} />`}
		</div>
	`;
}

function moveTab(event) {
	const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
	if (step) {
		const names = Object.keys(tabs);
		const at = names.indexOf(playground.get().tab);
		const name = names[(at + step + names.length) % names.length];
		show({tab: name});
		document.getElementById(`tab-${name}`).focus();
	}
}

/** One sentence if bots failed to load, or if the last reload failed. */
function brokenBots(known) {
	const first = known?.bots.find(({hosted}) => hosted?.error)?.hosted;
	if (!first) {
		return known?.reload_error ? `Not reloaded: ${known.reload_error}` : undefined;
	}

	const {file, line, reason} = first.error;
	return `${first.name} failed to load${file ? ` (${file}${line ? `:${line}` : ''})` : ''}: ${reason.replace(/^(syntax error) at \S+ /, '$1: ')}`;
}

/** Below a message: what the bots that it called did. */
export function BelowMessage({message}) {
	const exchanges = useKnown(({byMessage}) => byMessage.get(message.id), [message.id]);
	return (
		exchanges &&
		html`
			<p class="chips">
				${summarize(exchanges).map(
					({bot, userId, text, isBad}) => html`
						<button key=${userId} type="button" class=${`chip${isBad ? ' bad' : ''}`} title="Show the wire"
							onClick=${() => show({tab: 'wire', messageId: message.id})}>${bot} · ${text}</button>
					`,
				)}
			</p>
		`
	);
}
