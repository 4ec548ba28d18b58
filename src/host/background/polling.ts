// Polls for accounts with `receive = events`, and enqueues each message and event as a background delivery.

import startEvents from '../../../workers/events.js';
import type {Account} from '../../config/accounts.js';
import {sendId} from '../../delivery/ref.js';
import {workRef, workText} from '../../delivery/work.js';
import {createInbox} from '../../events/inbox.js';
import {backgroundDeliveries} from '../../queue/background-deliveries.js';
import {openQueue} from '../../queue/define-queue.js';
import {whileAnswering} from '../../redis/connection.js';
import type {openClients} from '../clients.js';
import {type Host, openConnection} from '../connections.js';

interface PollingConnections {
	readonly redisUrl: string;
	readonly accounts: readonly Account[];
	readonly clientOf: ReturnType<typeof openClients>;
}

export async function openEvents(host: Host, {redisUrl, accounts, clientOf}: PollingConnections): Promise<void> {
	const polled = accounts.filter(({receive}) => receive === 'events');
	if (polled.length === 0) {
		return;
	}

	const connection = openConnection(host, redisUrl);
	const running = openQueue(backgroundDeliveries, connection);
	const pollers = startEvents(polled, {
		inbox: createInbox(connection),
		log: host.log,
		clientOf,
		async deliver({site, email}, work) {
			const ref = workRef({site, email}, work);
			const job = {v: 1, site, email, delivery: ref.id, work: workText(work)} as const;
			await running.add(job, {id: sendId(ref, 0)});
		},
	});
	host.teardown.add(async () => {
		await whileAnswering(connection, pollers.close());
		await running.close();
	});
}
