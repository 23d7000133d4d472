import type { HistoryEvent } from '@agentclash/contracts';
import type { AttemptEnd, EvidenceTier } from '@agentclash/grading';

/** How an attempt ended and how well it was seen: what a failure class needs besides the scorecard. */
export interface AttemptView {
  attempt: AttemptEnd;
  evidence_tier: EvidenceTier;
}

/** Of an agent behind an endpoint only the output is seen; all others act through our own engine. */
export function evidenceTier(events: readonly Pick<HistoryEvent, 'source'>[]): EvidenceTier {
  if (events.length === 0) return 'none';
  return events.some(({ source }) => source === 'endpoint_agent') ? 'hosted_black_box' : 'native_structured';
}
