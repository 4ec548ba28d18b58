// What the receiver is measured against: the same work without Bothy.

import {createHash, timingSafeEqual} from 'node:crypto';
import {createServer, type Server} from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';

interface Body {
	readonly token: string;
	readonly data: string;
}

const digest = (token: string) => createHash('sha256').update(token).digest();

/** Read the body, `JSON.parse`, compare in constant time, answer. */
export function rawServer(token: string): Server {
	const expected = digest(token);
	return createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', chunk => chunks.push(chunk));
		request.on('end', () => {
			const body = JSON.parse(Buffer.concat(chunks).toString()) as Body;
			const isVerified = timingSafeEqual(expected, digest(body.token));
			const answer = JSON.stringify({content: isVerified ? body.data : ''});
			response.writeHead(200, {
				'content-type': 'application/json',
				'content-length': Buffer.byteLength(answer),
			});
			response.end(answer);
		});
	});
}

/** The same in Koa with router and body parser. */
export function koaServer(token: string): Server {
	const expected = digest(token);
	const app = new Koa();
	const router = new Router();
	app.use(bodyParser());
	router.post('/webhook', ctx => {
		const body = ctx.request.body as Body;
		ctx.body = {content: timingSafeEqual(expected, digest(body.token)) ? body.data : ''};
	});
	app.use(router.routes());
	return createServer(app.callback());
}
