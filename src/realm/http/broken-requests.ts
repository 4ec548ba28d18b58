// Answers requests that Node's server refuses: not HTTP, too large headers, an unknown `Expect`.

import type {Server, ServerResponse} from 'node:http';
import {STATUS_CODES} from 'node:http';
import type {Duplex} from 'node:stream';

const statuses: Readonly<Record<string, number>> = {HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408};

const BODY = `${JSON.stringify({result: 'error', msg: 'Malformed request', code: 'BAD_REQUEST'})}\n`;
const HEADERS = {'Content-Type': 'application/json', 'Content-Length': BODY.length, Connection: 'close'};

export function answerBrokenRequests(server: Server): void {
	server.on('checkExpectation', (_request, response: ServerResponse) => {
		response.writeHead(417, HEADERS).end(BODY);
	});
	server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
		if (error.code === 'ECONNRESET' || !socket.writable) {
			socket.destroy();
			return;
		}

		const status = statuses[error.code ?? ''] ?? 400;
		const head = Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`);
		socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', BODY].join('\r\n'));
	});
}
