import type { HistoryEvent } from '@agentclash/contracts';
import {
  type EvidenceTier,
  type FailureClass,
  failureClusterKey,
  type RecordedEnd,
} from '@agentclash/grading';

/** An attempt that did not pass, with the class of its failure. */
export interface ClassifiedAttempt {
  attemptId: string;
  caseKey: string;
  failure: FailureClass;
}

/** Attempts of one agent with the same failure. */
export interface FailureCluster {
  key: string;
  caseKey: string;
  failure: FailureClass;
  attempts: number;
  /** One of them. */
  attemptId: string;
}

/** Groups failures by case, class and failing keys; most frequent first. */
export function failureClusters(packSlug: string, failed: readonly ClassifiedAttempt[]): FailureCluster[] {
  const clusters = new Map<string, FailureCluster>();
  for (const { attemptId, caseKey, failure } of failed) {
    const key = failureClusterKey(packSlug, caseKey, failure);
    const known = clusters.get(key);
    if (known === undefined) clusters.set(key, { key, caseKey, failure, attempts: 1, attemptId });
    else known.attempts += 1;
  }
  return [...clusters.values()].sort((a, b) => b.attempts - a.attempts || (a.key < b.key ? -1 : 1));
}

/** How an attempt ended and its evidence tier: the inputs of a failure class besides the scorecard. */
export interface AttemptView {
  attempt: RecordedEnd;
  evidence_tier: EvidenceTier;
}

/** An agent behind an endpoint shows only its output; all others act through the engine. */
export function evidenceTier(events: readonly Pick<HistoryEvent, 'source'>[]): EvidenceTier {
  if (events.length === 0) return 'none';
  const isBlackBox = events.some(({ source }) => source === 'endpoint_agent' || source === 'imported');
  return isBlackBox ? 'hosted_black_box' : 'native_structured';
}
