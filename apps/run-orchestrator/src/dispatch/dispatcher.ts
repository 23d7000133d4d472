import { execution } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { AttemptsStore, type Nudge } from '../attempts/attempts.store.js';
import type { Transaction } from '../database.js';
import type { RunChange } from '../runs/run-change.js';
import { startsAttempts } from '../runs/run-state.js';

/** Attempts of one run that are handed out at once when the run sets no concurrency. */
export const WINDOW_DEFAULT = 64;

@Injectable()
export class Dispatcher {
  constructor(private readonly attempts: AttemptsStore) {}

  /** Sends jobs for waiting attempts as far as the run's window has room. */
  async dispatch(change: RunChange, tx: Transaction): Promise<void> {
    const { run, now } = change;
    if (!startsAttempts(change.status)) return;
    const room = run.maxConcurrency ?? WINDOW_DEFAULT;
    const taken = await this.attempts.takeWaiting(tx, run.id, { room, now });
    for (const nudge of taken.sort((a, b) => a.ordinal - b.ordinal)) sendJob(change, nudge);
  }
}

/** The id names delivery and nudge, so that a repeat of the same nudge is dropped and the next one is not. */
export function sendJob(change: RunChange, { id, delivery, nudge }: Nudge): void {
  const input = { attempt_id: id, run_id: change.run.id };
  change.send(execution.execute, input, `execute:${id}:${delivery + 1}:${nudge}`);
}
