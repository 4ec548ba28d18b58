// The traces that deploy/opentelemetry/tracing.mjs makes of what a host publishes.

import {trace} from '@opentelemetry/api';
import {BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor} from '@opentelemetry/sdk-trace-base';
import test from 'ava';
import {bot} from '../../src/index.js';
import {openHouse} from '../helpers/house.js';
import {until} from '../helpers/until.js';

test('a delivery, its posting job and their calls to the service make one trace', async t => {
	const exporter = new InMemorySpanExporter();
	trace.setGlobalTracerProvider(new BasicTracerProvider({spanProcessors: [new SimpleSpanProcessor(exporter)]}));
	await import(new URL('../../../deploy/opentelemetry/tracing.mjs', import.meta.url).href);
	const teller = bot({about: 'Tells'}).on('direct_message', async ctx => {
		await ctx.api.getOwnUser();
		await ctx.send({dm: [ctx.sender.id]}, 'told');
	});
	const {signIn} = await openHouse(t, {bots: {teller}});
	const alice = await signIn('alice');
	t.is(await alice.ask('teller', 'tell'), 'told');
	const spanOf = (name: string) => exporter.getFinishedSpans().find(span => span.name === name);
	await until(() => spanOf('sendMessage') !== undefined);

	const [handler, asked, job, sent] = ['handler', 'getOwnUser', 'job', 'sendMessage'].map(spanOf);
	t.is(asked?.parentSpanContext?.spanId, handler?.spanContext().spanId);
	t.is(sent?.parentSpanContext?.spanId, job?.spanContext().spanId);
	t.is(job?.parentSpanContext?.spanId, handler?.parentSpanContext?.spanId);
	t.is(new Set([handler, asked, job, sent].map(span => span?.spanContext().traceId)).size, 1);
	t.like(handler?.attributes, {bot: 'teller', trigger: 'direct_message'});
	t.is(handler?.attributes.delivery, sent?.attributes.delivery);
});
