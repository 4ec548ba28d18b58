// Limits the requests that a connection sends before it reads their answers.

import type {RequestListener} from 'node:http';
import type {Socket} from 'node:net';

/** Maximum pending requests of one connection. Services send one at a time, proxies a few. */
const MOST_UNANSWERED = 16;

/** Ends a connection that sends requests and does not read the answers. */
export function limitUnanswered(handle: RequestListener): RequestListener {
	const unanswered = new WeakMap<Socket, number>();
	return function handleLimited(request, response) {
		const {socket} = request;
		const count = (unanswered.get(socket) ?? 0) + 1;
		if (count > MOST_UNANSWERED || socket.destroyed) {
			socket.destroy();
			return;
		}

		unanswered.set(socket, count);
		response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
		handle(request, response);
	};
}
