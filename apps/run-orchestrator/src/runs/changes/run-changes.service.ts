import { ContractError } from '@agentclash/contracts';
import { Batcher } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import type { RunChange } from '../state/run-change.js';
import { type CountedAgent, type LockedWork, RunChangesStore } from '../store/run-changes.store.js';
import { Dispatcher } from './dispatcher.js';
import { OutboxPublisher } from './outbox-publisher.js';

/** Works that share a transaction, and attempts that they change: more would keep those that come after too long. */
const WORKS_MAX = 64;
const ATTEMPTS_MAX = 256;

interface BatchedWork {
  runId: string;
  work: LockedWork<unknown>;
  attempts: number;
}

interface Done {
  result: unknown;
  /** Settles when what is in the outbox of the change was published. */
  published: Promise<void>;
}

@Injectable()
export class RunChanges {
  private readonly batcher: Batcher<BatchedWork, Done>;

  constructor(
    private readonly store: RunChangesStore,
    private readonly outbox: OutboxPublisher,
    private readonly dispatcher: Dispatcher,
  ) {
    this.batcher = new Batcher<BatchedWork, Done>((joined) => this.applyBatch(joined), {
      keyOf: ({ runId }) => runId,
      itemsMax: WORKS_MAX,
      weight: { of: ({ attempts }) => attempts, max: ATTEMPTS_MAX },
      isSharedFailure: (error) => error instanceof RunNotHeld,
    });
  }

  /** Changes a run in one transaction and publishes its outbox. Fails with `not_found`. */
  async make<T>(runId: string, work: LockedWork<T>): Promise<T> {
    const done = await this.store.change(runId, (change, tx) => this.done(work, change, tx));
    if (done === undefined) throw noSuchRun(runId);
    await this.outbox.publish(done.change);
    return done.result;
  }

  /**
   * As `make`, but in one transaction with all works that wait to join the same run: one lock, one write, one commit.
   * The works are done in the order they came. Each finds in the change what those before it collected, though not yet
   * in the tables; when one fails, the others are done again without it. `attempts` is how many the work changes.
   */
  async join<T>(runId: string, work: LockedWork<T>, attempts = 1): Promise<T> {
    try {
      const { result, published } = await this.batcher.add({ runId, work, attempts });
      await published;
      return result as T;
    } catch (error) {
      throw error instanceof RunNotHeld ? error.cause : error;
    }
  }

  /** As `make`, for the run that an attempt belongs to; nothing when there is no such attempt. */
  async makeOfAttempt<T>(attemptId: string, work: LockedWork<T>): Promise<T | undefined> {
    const done = await this.store.changeOfAttempt(attemptId, (change, tx) => this.done(work, change, tx));
    if (done) await this.outbox.publish(done.change);
    return done?.result;
  }

  /** The run's agents as the change leaves them. */
  async agents(change: RunChange, tx: Transaction): Promise<CountedAgent[]> {
    return await this.store.agents(change, tx);
  }

  private async applyBatch(joined: readonly BatchedWork[]): Promise<Done[]> {
    const runId = joined[0]?.runId ?? '';
    let isHeld = false;
    const work = async (change: RunChange, tx: Transaction) => {
      isHeld = true;
      const results: unknown[] = [];
      for (const each of joined) results.push(await each.work(change, tx));
      return results;
    };
    try {
      const done = await this.store.change(runId, (change, tx) => this.done(work, change, tx));
      if (done === undefined) throw noSuchRun(runId);
      const published = this.outbox.publish(done.change);
      return done.result.map((result) => ({ result, published }));
    } catch (cause) {
      throw isHeld ? cause : new RunNotHeld('the run could not be locked', { cause });
    }
  }

  /** The work that is left to be done once for all comes last. */
  private async done<T>(work: LockedWork<T>, change: RunChange, tx: Transaction): Promise<T> {
    const result = await work(change, tx);
    if (change.freed === 'window') await this.dispatcher.dispatch(change, tx);
    if (change.freed === 'queue') await this.dispatcher.follow(change, tx);
    return result;
  }
}

/** A failure before any work began: it is none of the works' own. */
class RunNotHeld extends Error {}

function noSuchRun(runId: string): ContractError {
  return new ContractError('not_found', `There is no run ${runId}.`);
}
