import { toolTrace, workingCalls } from '../evidence/tool-trace.js';
import type { EvidenceEvent } from '../evidence/types.js';
import type { ValidatorResult } from '../validators/result.js';
import type { BehaviorEvidence } from './signals.js';

/** Reads what behavioural signals need from an attempt's events. */
export function behaviorEvidence(
  events: readonly EvidenceEvent[],
  validators: readonly ValidatorResult[],
): BehaviorEvidence {
  return {
    calls: workingCalls(toolTrace(events)),
    mismatches: events
      .filter((event) => event.event_type === 'turn.completed')
      .map((event) => event.payload.mismatch === true),
    validators,
  };
}
