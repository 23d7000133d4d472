import { ContractError, type RetryRequest } from '@agentclash/contracts';
import { hasRunEnded } from '@agentclash/domain';
import { changedPackErrors, progressOf, scoreWithdrawn } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { Dispatcher } from '../changes/dispatcher.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { checkNotDeleted } from '../deletion/run-deletions.store.js';
import { type Shortage, shortageOf } from '../state/call-budget.js';
import { IS_RETRIED, isSelective } from '../state/retried.js';
import type { RunChange } from '../state/run-change.js';
import { moveRun } from '../state/state-moves.js';
import { AttemptReads, type FinishedAttempt } from '../store/attempts/attempt-reads.store.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import { RacesStore } from '../store/races.store.js';
import { RunBudgetsStore } from '../store/run-budgets.store.js';

export interface Retry {
  runId: string;
  only: RetryRequest['only'];
  actor: string;
}

/** Finished attempts that one transaction looks at. */
const LOOKED_AT_ONCE = 5_000;

/** Runs finished attempts again, in the same run. */
@Injectable()
export class RunRetries {
  constructor(
    private readonly changes: RunChanges,
    private readonly attempts: AttemptReads,
    private readonly writes: AttemptWrites,
    private readonly dispatcher: Dispatcher,
    private readonly races: RacesStore,
    private readonly budgets: RunBudgetsStore,
  ) {}

  /**
   * How many attempts are run again. Each is looked at once: what ends again while this works stays ended. Fails with
   * `conflict` for a run that was cancelled or is being deleted, for attempts that are not finished and for more than the
   * rest of the budget may be expected to cover, with `not_found` for attempts of others.
   */
  async retry(retry: Retry): Promise<number> {
    let retried = 0;
    let after = -1;
    for (;;) {
      const slice = await this.changes.make(retry.runId, (change, tx) =>
        this.retrySome(change, tx, { ...retry, after, isFirst: after < 0 }),
      );
      retried += slice.retried;
      if (slice.lastOrdinal === undefined) return retried;
      after = slice.lastOrdinal;
    }
  }

  private async retrySome(
    change: RunChange,
    tx: Transaction,
    { runId, only, actor, after, isFirst }: Retry & { after: number; isFirst: boolean },
  ): Promise<{ retried: number; lastOrdinal: number | undefined }> {
    if (isFirst) await checkNotDeleted(tx, runId);
    if (change.run.imported !== null) {
      throw new ContractError('conflict', 'The run was imported: nothing of it can be run again here.');
    }
    if (change.status === 'cancelled') {
      if (!isFirst) return { retried: 0, lastOrdinal: undefined };
      throw new ContractError('conflict', 'The run was cancelled and stays so. Start a new one.');
    }
    if (change.isStopping) {
      if (!isFirst) return { retried: 0, lastOrdinal: undefined };
      throw new ContractError('conflict', 'The run has failed, and some of its attempts are still ending.');
    }
    if (isFirst && Array.isArray(only)) await this.checkNamed(tx, runId, only);
    if (isFirst) await this.checkBudget(change, tx, only);
    const { chosen, lastOrdinal } = await this.choose(change, tx, { only, after });
    if (chosen.length > 0) await this.putBack(change, tx, { chosen, only, actor });
    return { retried: chosen.length, lastOrdinal };
  }

  /** Those that are run again of the next finished attempts, and the last of these when there may be more. */
  private async choose(
    change: RunChange,
    tx: Transaction,
    { only, after }: { only: RetryRequest['only']; after: number },
  ): Promise<{ chosen: FinishedAttempt[]; lastOrdinal: number | undefined }> {
    const slice = { runId: change.run.id, only, after, take: LOOKED_AT_ONCE };
    const found = await this.attempts.findFinished(tx, slice);
    const open = hasRunEnded(change.status)
      ? found
      : found.filter(({ runAgentId }) => !change.isHalted(runAgentId));
    const chosen = Array.isArray(only) ? open : open.filter(IS_RETRIED[only]);
    const isLast = found.length < LOOKED_AT_ONCE;
    return { chosen, lastOrdinal: isLast ? undefined : found.at(-1)?.ordinal };
  }

  /** An attempt that the budget cannot pay for again would end cancelled, and its results would be lost. */
  private async checkBudget(change: RunChange, tx: Transaction, only: RetryRequest['only']): Promise<void> {
    const budget = await this.budgets.forRetry(tx, change.run.id);
    if (budget === undefined) return;
    let count = 0;
    let after: number | undefined = -1;
    while (after !== undefined) {
      const { chosen, lastOrdinal } = await this.choose(change, tx, { only, after });
      count += chosen.length;
      after = lastOrdinal;
    }
    const { open, used, held } = budget;
    const shortage = count === 0 ? undefined : shortageOf(budget, { attempts: count + open, used, held });
    if (shortage !== undefined) throw tooLittleLeft(shortage, { count, open });
  }

  private async checkNamed(tx: Transaction, runId: string, ids: readonly string[]): Promise<void> {
    const { known, unfinished } = await this.attempts.findNamed(tx, runId, ids);
    const unknown = ids.filter((id) => !known.has(id));
    if (unknown.length > 0)
      throw new ContractError('not_found', `The run has no attempt ${unknown.join(', ')}.`, { unknown });
    if (unfinished.length > 0) {
      throw new ContractError(
        'conflict',
        `Not finished yet: ${unfinished.join(', ')}. What is still at work cannot be retried.`,
        { unfinished },
      );
    }
  }

  private async putBack(
    change: RunChange,
    tx: Transaction,
    { chosen, only, actor }: { chosen: FinishedAttempt[]; only: RetryRequest['only']; actor: string },
  ): Promise<void> {
    await this.writes.queueAgain(
      tx,
      chosen.map(({ id }) => id),
    );
    for (const attempt of chosen) uncount(change, attempt);
    const packErrors = chosen.map(({ caseKey, packError }) => ({
      ...{ case_key: caseKey, before: packError, after: null },
    }));
    change.set({ packErrors: changedPackErrors(change.packErrors, packErrors) });
    if (isSelective(only)) change.set({ selectiveRetry: true });
    // The verdicts of its race are of evidence that is withdrawn.
    change.set({ raceBlocks: 0 });
    if (change.status !== 'running' && change.status !== 'paused') {
      const counts = progressOf((await this.changes.agents(change, tx)).map((agent) => agent.counts));
      moveRun(change, 'running', { counts, reason: `retried by ${actor}` });
      change.set({ round: change.run.round + 1, finishedAt: null, announcedAt: null, scoreDueAt: null });
      await this.races.release(tx, change.run.id);
      change.halted.clear();
    }
    await this.dispatcher.dispatch(change, tx);
  }
}

function tooLittleLeft(
  { unit, limit, left, expected }: Shortage,
  { count, open }: { count: number; open: number },
): ContractError {
  const attempts = count + open;
  const named = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  const others = open > 0 ? `, ${open} of them under way,` : '';
  const message =
    `${left} of ${limit} ${unit} of the budget are left, and ${named}${others} may use ${expected}: what it does not ` +
    'pay for would end without a result, and lose the one that it has. Start a run with a larger budget.';
  const field = unit === 'tokens' ? 'stop_when.budget.tokens' : 'stop_when.budget.usd';
  return new ContractError('conflict', message, { field, limit, left, expected, attempts });
}

/** Takes a finished attempt out of the counts, as if it had never ended. */
function uncount(change: RunChange, ended: FinishedAttempt): void {
  const { id: attempt_id, runAgentId: run_agent_id, caseKey: case_key, repetition } = ended;
  change.count(run_agent_id, { queued: 1, byOutcome: { [ended.outcome]: -1 } });
  change.unfinished += 1;
  change.count(run_agent_id, scoreWithdrawn(ended));
  if (ended.revision !== null) change.unscored += 1;
  change.record({
    type: 'attempt.state_changed',
    // Consumers that sum scores as they land have to subtract this one.
    payload: {
      ...{ from: 'finished', to: 'queued', reason: 'retry' },
      ...(ended.revision !== null && { score_withdrawn: { overall: ended.overall, passed: ended.passed } }),
    },
    attempt: { run_agent_id, attempt_id, case_key, repetition },
  });
}
