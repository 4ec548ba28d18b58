import type {AddressInfo, Server} from 'node:net';

/** The URL of a server that listens. */
export function urlOf(server: Server): string {
	// Only servers on a socket file have an address of another form.
	const {address, port} = server.address() as AddressInfo;
	return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
