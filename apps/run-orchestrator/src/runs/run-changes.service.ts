import { ContractError } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database.js';
import { RunAnnouncer } from './run-announcer.js';
import type { RunChange } from './run-change.js';
import { type CountedAgent, type LockedWork, RunChangesStore } from './run-changes.store.js';

@Injectable()
export class RunChanges {
  constructor(
    private readonly store: RunChangesStore,
    private readonly announcer: RunAnnouncer,
  ) {}

  /** Changes a run in one transaction and says what came of it. Fails with `not_found`. */
  async make<T>(runId: string, work: LockedWork<T>): Promise<T> {
    const done = await this.store.change(runId, work);
    if (done === undefined) throw new ContractError('not_found', `There is no run ${runId}.`);
    await this.announcer.announce(done.change);
    return done.result;
  }

  /** As `make`, for the run that an attempt belongs to; nothing when there is no such attempt. */
  async makeOfAttempt<T>(attemptId: string, work: LockedWork<T>): Promise<T | undefined> {
    const done = await this.store.changeOfAttempt(attemptId, work);
    if (done) await this.announcer.announce(done.change);
    return done?.result;
  }

  /** The run's agents as the change leaves them. */
  async agents(change: RunChange, tx: Transaction): Promise<CountedAgent[]> {
    return await this.store.agents(change, tx);
  }
}
