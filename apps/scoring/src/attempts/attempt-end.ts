import type { HistoryEvent } from '@agentclash/contracts';
import type { AttemptEnd, EvidenceTier } from '@agentclash/grading';

/** How an attempt ended and its evidence tier: the inputs of a failure class besides the scorecard. */
export interface AttemptView {
  attempt: AttemptEnd;
  evidence_tier: EvidenceTier;
}

/** An agent behind an endpoint shows only its output; all others act through the engine. */
export function evidenceTier(events: readonly Pick<HistoryEvent, 'source'>[]): EvidenceTier {
  if (events.length === 0) return 'none';
  return events.some(({ source }) => source === 'endpoint_agent') ? 'hosted_black_box' : 'native_structured';
}
