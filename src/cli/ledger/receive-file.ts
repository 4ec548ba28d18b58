// `bothy receive`: handles a payload from a file as if the service had posted it.

import {randomUUID} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {text as readAll} from 'node:stream/consumers';
import type {Payload} from '../../api/index.js';
import type {Account} from '../../config/accounts.js';
import {createDeliveries} from '../../delivery/deliveries.js';
import {deliveryRef} from '../../delivery/ref.js';
import {createEnqueue} from '../../host/background/enqueue.js';
import {assignBots, type BotAccount, handleWith} from '../../host/bots.js';
import {openPlugins} from '../../host/connections.js';
import {openDependencies} from '../../host/dependencies.js';
import {openQueue} from '../../queue/define-queue.js';
import {sends} from '../../queue/sends.js';
import {WebhookError} from '../../receiver/errors.js';
import {readEnvelope, readPayload} from '../../receiver/payload.js';
import {createTokenVerifier} from '../../receiver/verify.js';
import {CommandError, findAccounts, openLedger, type Terminal} from '../once.js';
import {localTime} from './since.js';

export async function receiveFile(
	terminal: Terminal,
	{file, verify}: {file: string; verify: boolean},
): Promise<undefined> {
	const body = await readBody(terminal, file);
	const {account: found, payload} = verified(body, {accounts: findAccounts(terminal), verify, file});
	const [account] = assignBots([found], await openPlugins(terminal, [found]), {environment: process.env});
	if (!account) {
		throw new Error('Expected one account, found none');
	}

	const {store, connection, redisUrl} = await openLedger(terminal);
	const queue = openQueue(sends, connection);
	terminal.teardown.add(() => queue.close());
	const enqueue = createEnqueue(queue, [account]);
	const deliveries = createDeliveries<BotAccount>({
		process: randomUUID(),
		store,
		log: terminal.log,
		isDead: () => false,
		handle: handleWith(openDependencies(terminal, {redisUrl, connection, accounts: findAccounts(terminal), enqueue})),
		enqueue,
	});
	const ref = deliveryRef(account, payload);
	const earlier = await store.read(ref);
	const work = {kind: 'message', payload: {...payload, token: ''}} as const;
	const answer = await deliveries.receive({account, work, arrivedAt: performance.now()});
	terminal.print(answer.body);
	answer.outcome?.onFlushed();
	if (earlier) {
		terminal.note(
			`${ref.id} arrived before, at ${localTime(earlier.arrivedAt)}. This is its recorded answer. ` +
				`\`bothy replay ${ref.id}\` runs the bot again.`,
		);
	}

	// If the handler is late, it continues, and a worker posts its answer.
	await deliveries.close(account.timeoutMs);
	terminal.note(`\`bothy deliveries ${ref.id}\` shows the delivery.`);
}

async function readBody({input}: Terminal, file: string): Promise<unknown> {
	const text = file === '-' ? await readAll(input) : await readFile(file, 'utf8').catch(asCommandError);
	try {
		return JSON.parse(text);
	} catch {
		throw new CommandError(`${file}: expected the JSON body of an outgoing webhook, found invalid JSON`);
	}
}

function asCommandError(error: Error): never {
	throw new CommandError(`Expected a file with a payload: ${error.message}`);
}

function verified(
	body: unknown,
	{accounts, verify, file}: {accounts: readonly Account[]; verify: boolean; file: string},
): {account: Account; payload: Payload} {
	try {
		const {bot_email: email, token} = readEnvelope(verify ? body : withToken(body));
		const isMeant = (candidate: Account) => candidate.email.toLowerCase() === email.toLowerCase();
		const account = verify ? createTokenVerifier(accounts)(email, token) : accounts.find(isMeant);
		if (!account) {
			throw new CommandError(
				verify
					? `${file}: unknown bot ${email} or wrong token. With --no-verify, the token is not verified.`
					: `${file}: unknown bot ${email}. Known bots: ${accounts.map(known => known.email).join(', ')}`,
			);
		}

		return {account, payload: readPayload(verify ? body : withToken(body))};
	} catch (error) {
		throw error instanceof WebhookError ? new CommandError(`${file}: ${error.message}`, {cause: error}) : error;
	}
}

/** Payloads from the ledger have no token. */
function withToken(body: unknown): unknown {
	return typeof body === 'object' && body !== null ? {token: '', ...body} : body;
}
