// Traces of Bothy for OpenTelemetry: delivery → handler or job → call of the service. Load it after your own set-up of the SDK:
// NODE_OPTIONS='--import ./otel-setup.mjs --import ./tracing.mjs' bothy web, and the same for bothy worker.

import {createHash} from 'node:crypto';
import {subscribe} from 'node:diagnostics_channel';
import {ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace} from '@opentelemetry/api';

const tracer = trace.getTracer('bothy');
const hash = (text, length) => createHash('sha256').update(text).digest('hex').slice(0, length);

/** All processes derive the same trace from a delivery, so what a worker posts stands beside the handler that said it. */
function traceOf({bot, delivery}) {
	const traceId = hash(`${bot} ${delivery}`, 32);
	return trace.setSpanContext(ROOT_CONTEXT, {
		traceId,
		spanId: hash(traceId, 16),
		traceFlags: TraceFlags.SAMPLED,
		isRemote: true,
	});
}

/** Calls by the work that makes them. They end before it, so they wait for its span. */
const calls = new Map();

function record(name, {ms, error, ...attributes}, {context, kind = SpanKind.INTERNAL, endTime = Date.now()}) {
	const span = tracer.startSpan(name, {kind, attributes, startTime: endTime - ms}, context);
	if (error !== undefined) {
		span.setStatus({code: SpanStatusCode.ERROR, message: error});
	}

	span.end(endTime);
	return trace.setSpan(context, span);
}

function recordWork(name, event) {
	const context = record(name, event, {context: traceOf(event)});
	for (const {call, endTime} of calls.get(event.work) ?? []) {
		record(call.operation, call, {context, kind: SpanKind.CLIENT, endTime});
	}

	calls.delete(event.work);
}

subscribe('bothy:handler', event => recordWork('handler', event));
subscribe('bothy:job', event => recordWork('job', event));
subscribe('bothy:call', call => {
	if (call.work !== undefined) {
		calls.set(call.work, [...(calls.get(call.work) ?? []), {call, endTime: Date.now()}]);
	}
});
