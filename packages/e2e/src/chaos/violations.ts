import { isDeepStrictEqual } from 'node:util';
import { historyProblems } from '../testing/recorded.js';
import { CALLS_PER_DELIVERY } from './race.js';
import type { RunRecord } from './record.js';

/** The violations in a run that has ended. Empty when nothing was lost and nothing was done twice. */
export function violationsOf(run: RunRecord, calls: ReadonlyMap<string, number>): string[] {
  return [
    ...(run.status === 'completed' ? [] : [`the run is ${run.status}`]),
    ...run.attempts.flatMap((attempt) => attemptViolations(attempt, run)),
    ...historyProblems(run.events),
    ...callViolations(run, calls),
  ].map((violation) => `${run.key}: ${violation}`);
}

/** The differences from the undisturbed run. */
export function rankingViolations(run: RunRecord, baseline: RunRecord): string[] {
  if (isDeepStrictEqual(run.ranking, baseline.ranking)) return [];
  const [is, was] = [run, baseline].map(({ ranking }) => JSON.stringify(ranking));
  return [`${run.key}: the ranking is ${is}, undisturbed ${was}`];
}

function attemptViolations(attempt: RunRecord['attempts'][number], run: RunRecord): string[] {
  const about = `${attempt.agent_name} ${attempt.case_key}`;
  const stored = run.stored.get(attempt.id);
  const scorecards = run.scorecards.get(attempt.id) ?? 0;
  const violations: string[] = [];
  if (attempt.state !== 'finished') violations.push(`is ${attempt.state}`);
  if (attempt.outcome !== 'completed') {
    violations.push(`ended as ${attempt.outcome} (${attempt.error?.code}: ${attempt.error?.message})`);
  }
  if (stored?.accepted !== 1) violations.push(`has ${stored?.accepted} accepted results`);
  if (stored?.deliveries !== attempt.delivery) {
    violations.push(`is in delivery ${attempt.delivery} and has ${stored?.deliveries}`);
  }
  if (stored?.open !== 0) violations.push(`has ${stored?.open} deliveries that have not ended`);
  if (stored?.hasLease) violations.push('still has a lease');
  if (!attempt.is_scored) violations.push('is not scored');
  if (scorecards !== 1) violations.push(`has ${scorecards} scorecards`);
  return violations.map((violation) => `${about} ${violation}`);
}

/** More calls than deliveries can have made; calls on record that the provider never saw. */
function callViolations({ attempts, events }: RunRecord, calls: ReadonlyMap<string, number>): string[] {
  const completedCalls = new Map<string, number>();
  for (const { event_type, attempt_id = '' } of events) {
    if (event_type === 'model.call.completed')
      completedCalls.set(attempt_id, (completedCalls.get(attempt_id) ?? 0) + 1);
  }
  return attempts.flatMap(({ id, agent_name, case_key, delivery }) => {
    const each = CALLS_PER_DELIVERY[agent_name];
    if (each === undefined) return [];
    const about = `${agent_name} ${case_key}`;
    const made = calls.get(about) ?? 0;
    const recorded = completedCalls.get(id) ?? 0;
    if (made > each * delivery) return [`${about}: ${made} calls in ${delivery} deliveries`];
    return recorded > made ? [`${about}: ${recorded} calls on record, the provider received ${made}`] : [];
  });
}
