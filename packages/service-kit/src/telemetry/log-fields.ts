import { AsyncLocalStorage } from 'node:async_hooks';
import { context, trace } from '@opentelemetry/api';

/** The fields that all log lines of a piece of work share. */
export interface WorkLogFields {
  request_id?: string;
  run_id?: string;
  attempt_id?: string;
  audit_id?: string;
}

const fields = new AsyncLocalStorage<WorkLogFields>();

/** Runs a piece of work whose log lines all carry these fields. */
export function withLogFields<T>(more: WorkLogFields, work: () => T): T {
  return fields.run({ ...fields.getStore(), ...more }, work);
}

export function currentLogFields(): WorkLogFields {
  return fields.getStore() ?? {};
}

/** The fields of the current work and trace, for every log line. */
export function activeLogFields(): WorkLogFields & { trace_id?: string; span_id?: string } {
  const span = trace.getSpanContext(context.active());
  return { ...fields.getStore(), ...(span && { trace_id: span.traceId, span_id: span.spanId }) };
}
