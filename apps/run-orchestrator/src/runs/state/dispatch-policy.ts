import { execution, PROMPTS_PER_JOB } from '@agentclash/contracts';
import type { LockedRun } from './run-change.js';

/** How attempts of a run are dispatched. */
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
