// Where the playground appears: a drawer beside the conversation, and a line below each message.

import {html} from 'htm/preact';
import {useLayoutEffect, useRef} from 'preact/hooks';
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
	const {isOpen, tab, beside, messageId, bots} = useKnown(known => known);
	useFocus(isOpen, messageId);
	// Without a connection, the bots of before say nothing.
	const failed = state.connection === 'reconnecting' ? undefined : brokenBots(bots);
	const close = () => playground.update(known => ({...known, isOpen: false}));
	const {title, Panel} = tabs[tab];

	return html`
		<div class=${`playground${isOpen ? ' open' : ''}`}>
			<div class="broken" role="status">
				${failed && html`<button type="button" onClick=${() => show({tab: 'bots'})}>${failed}</button>`}
			</div>
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
		document.getElementById(`tab-${name}`)?.focus();
	}
}

/** The focus goes into the drawer with its opener or with a chip, and back when it closes: before the next key can be pressed. */
function useFocus(isOpen, messageId) {
	const before = useRef({isOpen, messageId, from: /** @type {HTMLElement | null} */ (null)});
	useLayoutEffect(() => {
		const {isOpen: wasOpen, messageId: last, from} = before.current;
		if (isOpen && (!wasOpen || messageId !== last)) {
			before.current.from = /** @type {HTMLElement | null} */ (document.activeElement);
			document.getElementById('playground-panel')?.focus();
		} else if (wasOpen && !isOpen) {
			// The opener is drawn anew.
			const opener = /** @type {HTMLElement | null} */ (document.querySelector('.playground .opener'));
			(from?.isConnected && from !== document.body ? from : opener)?.focus();
		}

		Object.assign(before.current, {isOpen, messageId});
	}, [isOpen, messageId]);
}

/** One sentence if bots failed to load, or if the last reload failed. */
function brokenBots(known) {
	const [first, ...more] = (known?.bots ?? []).flatMap(({hosted}) => (hosted?.error ? [hosted] : []));
	if (!first) {
		return known?.reload_error ? `Not reloaded: ${known.reload_error}` : undefined;
	}

	const {file, line, reason} = first.error;
	const others = more.length > 0 ? ` (and ${more.length} more)` : '';
	return `${first.name} failed to load${file ? ` (${file}${line ? `:${line}` : ''})` : ''}: ${reason.replace(/^(syntax error) at \S+ /, '$1: ')}${others}`;
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
