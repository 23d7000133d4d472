import { type Attempt, type Run, routes } from '@agentclash/api';
import { hasDiverged, isPlatformOutcome, OUTCOMES } from '@agentclash/domain';
import { useRead } from '../data/use-read.js';

/** The largest page that the server returns. */
const READ_MAX = 200;

/** Attempts of a replay that ended with `infra_error`: all, or the first of them. */
interface ReplayFailures {
  attempts: readonly Attempt[];
  hasMore: boolean;
}

/** Undefined while they are loading, and for a run that has none or is no replay. */
export function useReplayFailures(run: Run): ReplayFailures | undefined {
  const mayHave = run.model_calls === 'replay' && (run.progress.by_outcome.infra_error ?? 0) > 0;
  const { data } = useRead(
    routes.runs.attempts,
    { params: { run_id: run.id }, query: { outcome: 'infra_error', limit: READ_MAX } },
    { enabled: mayHave },
  );
  return mayHave && data ? { attempts: data.items, hasMore: data.next_cursor !== null } : undefined;
}

/** True when an attempt ended by an error of the platform or a provider, and another delivery of it may succeed. */
export function useMayRetryInfra(run: Run): boolean {
  const failures = useReplayFailures(run);
  const { by_outcome } = run.progress;
  const found = OUTCOMES.filter((outcome) => isPlatformOutcome(outcome) && (by_outcome[outcome] ?? 0) > 0);
  if (run.model_calls !== 'replay' || found.some((outcome) => outcome !== 'infra_error'))
    return found.length > 0;
  return failures !== undefined && (failures.hasMore || !failures.attempts.every(hasDiverged));
}
