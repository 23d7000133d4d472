import { type EndOf, endsOf, numberIn, type PayloadOf, recordIn, textIn } from '@agentclash/domain';
import type { EvidenceEvent } from '../evidence/types.js';

const ENDS: ReadonlySet<string> = new Set(endsOf('system.run'));

/** The event that began the agent's work. */
function startEvent(events: readonly EvidenceEvent[]): EvidenceEvent | undefined {
  return events.find((event) => event.event_type === 'system.run.started');
}

/** The last event that ended the agent's work, well or badly. */
export function endEvent(events: readonly EvidenceEvent[]): EvidenceEvent | undefined {
  return events.findLast((event) => ENDS.has(event.event_type));
}

/** The events of an attempt; those of an imported one all have the time of the import. */
export interface TimedEvents {
  readonly events: readonly EvidenceEvent[];
  readonly isImported?: boolean;
}

/** Milliseconds from the start to the end; undefined when the platform recorded not both. */
export function totalLatencyMs({ events, isImported = false }: TimedEvents): number | undefined {
  const end = endEvent(events);
  if (end === undefined) return undefined;
  const payload: PayloadOf<EndOf<'system.run'>> = end.payload;
  const reported = numberIn(payload, 'latency_ms');
  const start = isImported ? undefined : startEvent(events);
  return reported ?? (start === undefined ? undefined : timeOf(end) - timeOf(start));
}

/** Milliseconds from the start to the first token of the first timed model call, else to the output. */
export function firstTokenMs({ events, isImported = false }: TimedEvents): number | undefined {
  const start = isImported ? undefined : startEvent(events);
  if (start === undefined) return undefined;
  const first = firstTokenTime(events) ?? outputTime(events);
  return first === undefined ? undefined : first - timeOf(start);
}

function firstTokenTime(events: readonly EvidenceEvent[]): number | undefined {
  const begun = new Map<string, number>();
  for (const event of events) {
    const payload: PayloadOf<'model.call.started' | 'model.call.completed'> = event.payload;
    const callId = textIn(payload, 'call_id') ?? '';
    if (event.event_type === 'model.call.started') begun.set(callId, timeOf(event));
    if (event.event_type !== 'model.call.completed') continue;
    const timing = recordIn(payload, 'timing') ?? {};
    const ttft = numberIn(timing, 'ttft_ms');
    const callStart = begun.get(callId);
    if (ttft === undefined || callStart === undefined) continue;
    return callStart + (numberIn(timing, 'queued_ms') ?? 0) + ttft;
  }
  return undefined;
}

function outputTime(events: readonly EvidenceEvent[]): number | undefined {
  const output = events.find((event) => event.event_type === 'system.output.finalized');
  return output === undefined ? undefined : timeOf(output);
}

function timeOf(event: EvidenceEvent): number {
  return Date.parse(event.occurred_at);
}
