import { execution } from '@agentclash/contracts';
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
    for (const nudge of taken.sort((a, b) => a.ordinal - b.ordinal)) sendJob(change, nudge);
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

/** The id names delivery and nudge, so that a repeat of the same nudge is dropped and the next one is not. */
export function sendJob(change: RunChange, { id, delivery, nudge }: Nudge): void {
  const input = { attempt_id: id, run_id: change.run.id };
  change.send(execution.execute, input, `execute:${id}:${delivery + 1}:${nudge}`);
}
