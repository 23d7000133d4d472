import { execution, PROMPTS_PER_JOB } from '@agentclash/contracts';
import type { LockedRun } from './run-change.js';

/** How attempts of a run are handed out. */
export interface HandingOut {
  /** Attempts that are handed out at once when the run sets no concurrency. */
  window: number;
  /**
   * Attempts that wait in the queue, whatever the run's concurrency: the queue is first come, first served, so this is
   * how many of another run's attempts may be ahead of a new one's.
   */
  ahead: number;
  job: typeof execution.execute | typeof execution.prompt;
  /** Attempts of one job. */
  attempts: number;
}

/** A sandbox is a place of its own, so that any executor may take the next. */
export const IN_SANDBOXES: HandingOut = { window: 64, ahead: 64, job: execution.execute, attempts: 1 };
/** Prompts cost less than their messages and wait for models most of the time. */
export const PROMPTS: HandingOut = {
  window: 256,
  ahead: 256,
  job: execution.prompt,
  attempts: PROMPTS_PER_JOB,
};

export function handingOut({ executionMode }: Pick<LockedRun, 'executionMode'>): HandingOut {
  return executionMode === 'prompt_eval' ? PROMPTS : IN_SANDBOXES;
}
