import { type PayloadOf, textIn } from '@agentclash/domain';
import { type EvidencePointer, pointTo } from './pointer.js';
import type { EvidenceEvent } from './types.js';

/** The events that show what the agent ended with, best first: its output, else its last model call, else its end. */
const OUTPUT_EVENT_TYPES: readonly ReadonlySet<string>[] = [
  new Set(['system.output.finalized']),
  new Set(['model.call.completed']),
  new Set(['system.run.completed', 'system.run.failed']),
];

/** The agent's last final output; undefined when it gave none. */
export function finalOutput(events: readonly EvidenceEvent[]): string | undefined {
  const event = events.findLast(({ event_type }) => event_type === 'system.output.finalized');
  const payload: PayloadOf<'system.output.finalized'> = event?.payload ?? {};
  return textIn(payload, 'final_output');
}

export function finalOutputPointer(events: readonly EvidenceEvent[]): EvidencePointer | null {
  for (const types of OUTPUT_EVENT_TYPES) {
    const event = events.findLast(({ event_type }) => types.has(event_type));
    if (event !== undefined) return pointTo([event]);
  }
  return null;
}
