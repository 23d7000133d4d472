import { endsOf, numberIn } from '@agentclash/domain';
import { toolTrace } from './tool-trace.js';
import type { AttemptEvidence } from './types.js';

/** The reason of a result for which the source of an imported attempt has no evidence. */
export const NOT_IMPORTED = 'not_imported';

const ENDS: ReadonlySet<string> = new Set(endsOf('system.run'));

/**
 * False for an imported attempt whose calls of tools are not known: its source gives no number of them, or a larger one
 * than it has calls. Nothing follows from calls that are not there.
 */
export function isToolTraceKnown({
  imported,
  events,
}: Pick<AttemptEvidence, 'imported' | 'events'>): boolean {
  if (imported === undefined) return true;
  const end = events.findLast(({ event_type }) => ENDS.has(event_type));
  const stated = end && numberIn(end.payload, 'tool_call_count');
  return stated !== undefined && stated <= toolTrace(events).length;
}
