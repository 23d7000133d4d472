import type { Outcome, RetryRequest } from '@agentclash/contracts';

/** A finished attempt as a retry sees it. */
export interface EndedAttempt {
  outcome: Outcome;
  /** Of its scorecard; null until it is scored. */
  revision: number | null;
  passed: boolean | null;
  /** Whether what the agent left could not be looked at: the fault of the platform, whatever the agent did. */
  isUnverified: boolean;
}

/** Nobody's verdict: missing data, which no agent is to blame for (execution 1.5). */
const MISSING: readonly Outcome[] = ['infra_error', 'provider_error'];
const UNGRADED: readonly Outcome[] = [...MISSING, 'cancelled'];

/** Which finished attempts a retry by kind runs again. */
export const IS_RETRIED: Record<Extract<RetryRequest['only'], string>, (ended: EndedAttempt) => boolean> = {
  infra: ({ outcome, isUnverified }) => MISSING.includes(outcome) || isUnverified,
  /** What waits for its score may yet pass; what completed without a threshold has not failed. */
  failed: ({ outcome, revision, passed, isUnverified }) => {
    if (UNGRADED.includes(outcome) || isUnverified) return true;
    return revision !== null && (passed === false || (passed === null && outcome !== 'completed'));
  },
};

/** Whether the retry chose attempts by how they did: what is scored then is not what would have been scored before. */
export function isSelective(only: RetryRequest['only']): boolean {
  return only !== 'infra';
}
