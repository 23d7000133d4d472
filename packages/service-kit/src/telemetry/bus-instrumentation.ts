import type { Arrival, BusInstrumentation } from '@agentclash/bus';
import type { Message } from '@agentclash/contracts';
import { type Attributes, context, trace } from '@opentelemetry/api';
import { currentLogFields, withLogFields } from './log-fields.js';
import { metrics, secondsSince } from './metrics.js';
import { errorCode, inSpan, inSpanOfTrace, isTracing, type SpanOptions } from './spans.js';
import { contextOf, originOf, traceHeaders } from './trace-headers.js';

const REQUEST_ID = 'x-request-id';
const REQUEST_ID_TEXT = /^[\w.:/+=-]{1,128}$/;

type Ended = (message: Message, code: string, seconds: number) => void;

/** Traces and measures messages between services, and propagates the request id. */
export const busInstrumentation: BusInstrumentation = {
  async outgoing(message, send) {
    const kind = message.kind === 'rpc' ? 'CLIENT' : 'PRODUCER';
    const name = message.kind === 'rpc' ? message.subject : `send ${message.subject}`;
    const work = async () => await send(headersOfNow());
    return await inSpanOfTrace(name, { kind, attributes: attributesOf(message) }, () =>
      timed(message, sent, work),
    );
  },

  async incoming(arrival, work) {
    const { message, header, waitedMs } = arrival;
    if (waitedMs !== undefined) recordWait(message, waitedMs / 1_000);
    const requestId = header(REQUEST_ID);
    const isNamed = requestId !== undefined && REQUEST_ID_TEXT.test(requestId);
    const all = () => timed(message, handled, work);
    return await withLogFields(isNamed ? { request_id: requestId } : {}, () => inSpanOf(arrival, all));
  },
};

/** Counts a dead letter. */
export function countDeadLetter({ subject: message }: Message, code: string): void {
  metrics.add('agentclash_messages_given_up_total', { message, code });
}

function headersOfNow(): Record<string, string> {
  const { request_id } = currentLogFields();
  const headers = isTracing() ? traceHeaders(context.active()) : {};
  return request_id === undefined ? headers : { ...headers, [REQUEST_ID]: request_id };
}

/**
 * A request's span is a child of its caller's. A job's or stored event's span is a child of the trace's origin and linked
 * to the span that sent it. A job outside of any trace starts one. Events to every instance get no span.
 */
async function inSpanOf<T>({ message, header, waitedMs }: Arrival, work: () => Promise<T>): Promise<T> {
  const isBroadcast = message.kind === 'event' && waitedMs === undefined;
  if (!isTracing() || isBroadcast) return await work();
  const from = contextOf(header);
  const sender = trace.getSpanContext(from);
  if (sender === undefined && message.kind !== 'job') return await context.with(from, work);
  const attributes = attributesOf(message);
  if (message.kind === 'rpc') {
    return await inSpan(message.subject, { kind: 'SERVER', attributes, parent: from }, work);
  }
  const origin = originOf(from);
  const isDetached = sender !== undefined && origin !== undefined && origin.spanId !== sender.spanId;
  const options: SpanOptions = {
    kind: 'CONSUMER',
    attributes,
    parent: isDetached ? trace.setSpanContext(from, origin) : from,
    links: isDetached ? [{ context: sender }] : [],
    isOrigin: origin === undefined,
  };
  return await inSpan(`process ${message.subject}`, options, work);
}

async function timed<T>(message: Message, ended: Ended, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    const result = await work();
    ended(message, 'ok', secondsSince(startedAt));
    return result;
  } catch (error) {
    ended(message, errorCode(error), secondsSince(startedAt));
    throw error;
  }
}

const sent: Ended = ({ kind, subject: message }, code, seconds) => {
  if (kind === 'rpc') metrics.observe('agentclash_rpc_client_duration_seconds', { message, code }, seconds);
  else metrics.add('agentclash_message_sends_total', { message, code });
};

const handled: Ended = ({ kind, subject: message }, code, seconds) => {
  const name =
    kind === 'rpc'
      ? 'agentclash_rpc_server_duration_seconds'
      : 'agentclash_message_handling_duration_seconds';
  metrics.observe(name, { message, code }, seconds);
};

function recordWait({ kind, subject: message }: Message, seconds: number): void {
  const name = kind === 'job' ? 'agentclash_job_wait_seconds' : 'agentclash_event_lag_seconds';
  metrics.observe(name, { message }, seconds);
}

function attributesOf({ kind, subject }: Message): Attributes {
  if (kind !== 'rpc') return { 'messaging.system': 'nats', 'messaging.destination.name': subject };
  const method = subject.lastIndexOf('.');
  return {
    'rpc.system': 'nats',
    'rpc.service': subject.slice('rpc.'.length, method),
    'rpc.method': subject.slice(method + 1),
  };
}
