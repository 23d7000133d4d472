import { AsyncLocalStorage } from 'node:async_hooks';
import { context, trace } from '@opentelemetry/api';

/** What the lines of a piece of work have in common. */
export interface LogFields {
  request_id?: string;
  run_id?: string;
  attempt_id?: string;
}

const fields = new AsyncLocalStorage<LogFields>();

/** Does a piece of work whose log lines, wherever they are written, say what it belongs to. */
export function withLogFields<T>(more: LogFields, work: () => T): T {
  return fields.run({ ...fields.getStore(), ...more }, work);
}

export function currentLogFields(): LogFields {
  return fields.getStore() ?? {};
}

/** What a log line says of the moment it is written at: whose work it is, and in which trace. */
export function fieldsOfNow(): LogFields & { trace_id?: string; span_id?: string } {
  const span = trace.getSpanContext(context.active());
  return { ...fields.getStore(), ...(span && { trace_id: span.traceId, span_id: span.spanId }) };
}
