// Serves GET /metrics on its own port: the sum of the metrics of this host's processes.

import {createServer, type Server} from 'node:http';
import type {Host} from '../connections.js';
import {listenError} from '../explain.js';
import {urlOf} from '../server-url.js';
import {exposition, type Snapshot} from './metrics.js';

/** Reads the current metrics of some processes. */
export type Source = () => Promise<readonly Snapshot[]>;

/** By host and port. A reload opens the new server before it closes the old one. */
const open = new Map<string, Server>();

/** Resolves with the address. */
export async function openMetricsServer({settings, log, teardown}: Host, sources: readonly Source[]): Promise<string> {
	const server = createServer(async (request, response) => {
		if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
			response.writeHead(404).end('GET /metrics\n');
			return;
		}

		try {
			const snapshots = (await Promise.all(sources.map(source => source()))).flat();
			response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
			response.end(await exposition(snapshots));
		} catch (error) {
			log.error({err: error}, 'could not read the metrics');
			response.writeHead(500).end('Could not read the metrics. See the log.\n');
		}
	});
	const {METRICS_PORT: port, METRICS_HOST: host} = settings;
	const place = `${host} ${port}`;
	end(open.get(place));
	open.set(place, server);
	await new Promise<void>((listening, failed) => {
		server.once('error', error => failed(listenError(error, Number(port), 'METRICS_PORT')));
		server.listen({host, port: Number(port)}, listening);
	});
	teardown.add(async () => end(server));
	return `${urlOf(server)}/metrics`;
}

function end(server: Server | undefined): void {
	server?.close();
	server?.closeAllConnections();
}
