// Limits the requests that a connection sends before it reads their answers.

import {IncomingMessage, type RequestListener, type ServerOptions} from 'node:http';
import type {Socket} from 'node:net';
import type {Duplex} from 'node:stream';

/** Maximum pending requests of one connection. Services send one at a time, proxies a few. */
const MOST_UNANSWERED = 16;

/**
 * Ends a connection that sends requests and does not read the answers.
 *
 * A packet can contain two thousand requests, and Node parses all of them at once. It stops only at a request that asks for
 * another protocol. So a request over the limit claims to be one, and `endConnection` must listen to the server's `upgrade`.
 */
export function limitUnanswered(handle: RequestListener): [Pick<ServerOptions, 'IncomingMessage'>, RequestListener] {
	const unanswered = new WeakMap<Socket, number>();
	const countOf = (socket: Socket) => unanswered.get(socket) ?? 0;

	class LimitedMessage extends IncomingMessage {
		readonly #isOverLimit: boolean;

		constructor(socket: Socket) {
			super(socket);
			this.#isOverLimit = countOf(socket) >= MOST_UNANSWERED;
		}

		get upgrade(): boolean {
			return this.#isOverLimit;
		}

		// Node sets it from the request's own `Upgrade`, which is ignored.
		set upgrade(_asked: unknown) {}
	}

	return [
		{IncomingMessage: LimitedMessage},
		function handleLimited(request, response) {
			const {socket} = request;
			unanswered.set(socket, countOf(socket) + 1);
			response.once('close', () => unanswered.set(socket, countOf(socket) - 1));
			handle(request, response);
		},
	];
}

/** Ends a connection that exceeds its limit. Node passes such requests to the listeners for an upgrade of the protocol. */
export function endConnection(_request: IncomingMessage, socket: Duplex): void {
	socket.destroy();
}
