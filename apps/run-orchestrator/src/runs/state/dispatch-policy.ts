import { execution, PROMPTS_PER_JOB } from '@agentclash/contracts';
import type { LockedRun } from './run-change.js';

/** The dispatch policy of the attempts of a run. */
export interface DispatchPolicy {
  /** Attempts in flight at once when the run sets no concurrency. */
  maxInFlight: number;
  /**
   * Attempts that wait in the queue, whatever the run's concurrency: the queue is first come, first served, so this is
   * how many of another run's attempts may be ahead of a new one's.
   */
  maxQueued: number;
  job: typeof execution.execute | typeof execution.prompt;
  /** Attempts of one job. */
  attemptsPerJob: number;
}

/** A sandbox is a place of its own, so that any executor may take the next. */
export const IN_SANDBOXES: DispatchPolicy = {
  maxInFlight: 64,
  maxQueued: 64,
  job: execution.execute,
  attemptsPerJob: 1,
};
/** Prompts cost less than their messages and wait for models most of the time. */
export const PROMPTS: DispatchPolicy = {
  maxInFlight: 256,
  maxQueued: 256,
  job: execution.prompt,
  attemptsPerJob: PROMPTS_PER_JOB,
};

export function dispatchPolicyOf({ executionMode }: Pick<LockedRun, 'executionMode'>): DispatchPolicy {
  return executionMode === 'prompt_eval' ? PROMPTS : IN_SANDBOXES;
}

/** Attempts of one run in flight, and their maximum. */
export interface RunLoad {
  runId: string;
  /** Attempts that are at work or whose job waits in the queue. */
  inFlight: number;
  /** With those that could be dispatched in addition, within the run's own limit. */
  wanted: number;
}

/**
 * Shares a total out by demand: a run that wants less than an equal share gets all of it, and what that leaves is
 * shared by the others. What cannot be divided goes to the first.
 */
export function fairShares(total: number, wanted: readonly number[]): number[] {
  const shares = wanted.map(() => 0);
  let left = total;
  let unsatisfied = wanted.map((_, index) => index).filter((index) => (wanted[index] ?? 0) > 0);
  while (left > 0 && unsatisfied.length > 0) {
    const equal = Math.max(1, Math.floor(left / unsatisfied.length));
    for (const index of unsatisfied.slice(0, left)) {
      const more = Math.min(equal, (wanted[index] ?? 0) - (shares[index] ?? 0));
      shares[index] = (shares[index] ?? 0) + more;
      left -= more;
    }
    unsatisfied = unsatisfied.filter((index) => (shares[index] ?? 0) < (wanted[index] ?? 0));
  }
  return shares;
}

/** How many more attempts a run may dispatch when its workspace may have `total` in flight. */
export function freeShareOf(runId: string, loads: readonly RunLoad[], total: number): number {
  const index = loads.findIndex((load) => load.runId === runId);
  const own = loads[index];
  if (own === undefined) return 0;
  const shares = fairShares(
    total,
    loads.map(({ wanted }) => wanted),
  );
  const inFlight = loads.reduce((sum, load) => sum + load.inFlight, 0);
  return Math.max(0, Math.min((shares[index] ?? 0) - own.inFlight, total - inFlight));
}
