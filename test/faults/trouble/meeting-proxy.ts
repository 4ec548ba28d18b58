// Stands between a worker and the realm, and says when a draft is about to be changed or deleted.

import {once} from 'node:events';
import {Agent, createServer, type IncomingMessage, request, type ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';

/** `write` has the realm carry the call out; the caller is answered when the whole meeting is over. */
type Meet = (draftId: number, write: () => Promise<void>) => Promise<void>;

export async function startMeetingProxy(realmUrl: string, meet: Meet) {
	const agent = new Agent({keepAlive: true});
	const server = createServer(async (incoming, answer) => {
		const body: Buffer[] = [];
		for await (const chunk of incoming) {
			body.push(chunk);
		}

		const forward = () => pass(incoming, Buffer.concat(body));
		const draftId = /^\/api\/v1\/drafts\/(\d+)/.exec(incoming.url ?? '')?.[1];
		let response: Passed | undefined;
		if (draftId !== undefined && (incoming.method === 'PATCH' || incoming.method === 'DELETE')) {
			await meet(Number(draftId), async () => {
				response = await forward();
			});
		}

		reply(answer, response ?? (await forward()));
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');

	async function pass({method, url, headers}: IncomingMessage, body: Buffer): Promise<Passed> {
		const outgoing = request(`${realmUrl}${url}`, {method, headers, agent});
		outgoing.end(body);
		const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
		const chunks: Buffer[] = [];
		for await (const chunk of response) {
			chunks.push(chunk);
		}

		return {status: response.statusCode ?? 502, headers: response.headers, body: Buffer.concat(chunks)};
	}

	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		async close(): Promise<void> {
			agent.destroy();
			server.closeAllConnections();
			await new Promise(resolve => server.close(resolve));
		},
	};
}

interface Passed {
	readonly status: number;
	readonly headers: IncomingMessage['headers'];
	readonly body: Buffer;
}

function reply(answer: ServerResponse, {status, headers, body}: Passed): void {
	answer.writeHead(status, headers);
	answer.end(body);
}
