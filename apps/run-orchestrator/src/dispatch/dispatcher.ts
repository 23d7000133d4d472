import { execution, PROMPTS_PER_JOB } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { AttemptsStore, type Nudge } from '../attempts/attempts.store.js';
import type { Transaction } from '../database.js';
import type { LockedRun, RunChange } from '../runs/run-change.js';
import { startsAttempts } from '../runs/run-state.js';
import { roomOf } from './fair-shares.js';
import { LoadsStore } from './loads.store.js';

/** Attempts of one run that are handed out at once when the run sets no concurrency. */
export const WINDOW_DEFAULT = 64;

/**
 * Jobs of one run that wait in the queue, whatever its concurrency: the queue is first come, first served, so this is
 * how many of another run's jobs may be ahead of a new one's.
 */
export const AHEAD_MAX = 64;

export class DispatchSettings {
  /** `workspaceMax`: attempts of all runs of a workspace that are handed out at once; absent: as many as they ask for. */
  constructor(readonly workspaceMax?: number) {}
}

@Injectable()
export class Dispatcher {
  constructor(
    private readonly attempts: AttemptsStore,
    private readonly loads: LoadsStore,
    private readonly settings: DispatchSettings,
  ) {}

  /** Sends jobs for waiting attempts as far as the run's window and its share of the workspace have room. */
  async dispatch(change: RunChange, tx: Transaction): Promise<void> {
    const { run, now } = change;
    if (!startsAttempts(change.status)) return;
    const more = await this.shareLeft(run, tx);
    if (more === 0) return;
    const limits = { window: run.maxConcurrency ?? WINDOW_DEFAULT, ahead: AHEAD_MAX, more };
    const taken = await this.attempts.takeWaiting(tx, run.id, { ...limits, now });
    sendJobs(change, taken);
  }

  /** As `dispatch`, when jobs were taken from the queue: a wide window is filled as they are. */
  async follow(change: RunChange, tx: Transaction): Promise<void> {
    if ((change.run.maxConcurrency ?? WINDOW_DEFAULT) > AHEAD_MAX) await this.dispatch(change, tx);
  }

  private async shareLeft(run: LockedRun, tx: Transaction): Promise<number> {
    const { workspaceMax } = this.settings;
    if (workspaceMax === undefined) return AHEAD_MAX;
    return roomOf(run.id, await this.loads.lock(tx, run.workspaceId, WINDOW_DEFAULT), workspaceMax);
  }
}

/**
 * Hands out attempts that were nudged together, in order. The id names the first one's delivery and nudge, so that a
 * repeat of the same nudge is dropped and the next one is not.
 */
export function sendJobs(change: RunChange, nudges: readonly Nudge[]): void {
  const { id: run_id, executionMode } = change.run;
  const { job, attempts } = jobsOf(executionMode);
  const inOrder = [...nudges].sort((a, b) => a.ordinal - b.ordinal);
  for (let from = 0; from < inOrder.length; from += attempts) {
    const together = inOrder.slice(from, from + attempts);
    const [first] = together;
    if (first === undefined) return;
    const id = `execute:${first.id}:${first.delivery + 1}:${first.nudge}`;
    change.send(job, { run_id, attempt_ids: together.map((nudge) => nudge.id) }, id);
  }
}

/** A sandbox is a place of its own, so that any executor may take the next; prompts cost less than their messages. */
function jobsOf(executionMode: string) {
  return executionMode === 'prompt_eval'
    ? { job: execution.prompt, attempts: PROMPTS_PER_JOB }
    : { job: execution.execute, attempts: 1 };
}
