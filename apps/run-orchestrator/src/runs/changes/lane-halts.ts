import { executionEvents } from '@agentclash/contracts';
import type { OrchestratorEventPayloads, RunStopReason } from '@agentclash/domain';
import { interruptedResult } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import type { RunChange } from '../state/run-change.js';
import { recordUnclaimedEnd } from '../state/state-moves.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import { RacesStore } from '../store/races.store.js';
import { ScoreRequests } from './score-requests.js';

/** A lane that nothing depends on any more. */
export interface HaltedLane {
  run_agent_id: string;
  /** Cases of the evidence by then, and the lane that was better; absent when the whole run is stopped. */
  eliminated?: { after_cases: number; by: string | null };
}

/** Ends lanes, or the whole run, before their last attempts. */
@Injectable()
export class LaneHalts {
  constructor(
    private readonly races: RacesStore,
    private readonly writes: AttemptWrites,
    private readonly scores: ScoreRequests,
  ) {}

  /**
   * Delivers no more attempts of these lanes: those that wait are skipped, those at work are cancelled by their
   * executors. Lanes that were halted before stay as they are.
   */
  async halt(
    change: RunChange,
    tx: Transaction,
    { lanes, reason }: { lanes: readonly HaltedLane[]; reason: 'eliminated' | RunStopReason },
  ): Promise<void> {
    const fresh = lanes.filter(({ run_agent_id }) => !change.isHalted(run_agent_id));
    if (fresh.length === 0) return;
    const ids = fresh.map(({ run_agent_id }) => run_agent_id);
    await this.races.halt(tx, ids, change.now);
    for (const id of ids) change.halted.add(id);
    const skipped = await this.skip(change, tx, ids);
    await this.finishRedelivered(change, tx, ids);
    for (const { run_agent_id, eliminated } of fresh) {
      const payload = { run_agent_id, reason, skipped: skipped.get(run_agent_id) ?? 0, ...eliminated };
      change.record({
        type: 'run.lane_halted',
        payload: payload satisfies OrchestratorEventPayloads['run.lane_halted'],
      });
    }
    const { id: run_id, round } = change.run;
    const id = `halted:${run_id}:${round}:${ids.join()}`;
    change.publish(executionEvents.halted, { run_id }, id);
  }

  /** Skips attempts without a job; those at work continue, with all deliveries that they may have. */
  async stopDispatch(change: RunChange, tx: Transaction, reason: RunStopReason): Promise<void> {
    const ids = await this.races.agentIds(tx, change.run.id);
    const skipped = await this.skip(change, tx, ids, { isUnsent: true });
    if (skipped.size > 0) change.set({ stopped: reason });
    this.recordSkips(change, skipped, reason);
  }

  /**
   * Delivers no attempt after this one for the first time any more, when the budget refused a call of it. Those before it
   * and those at work continue as far as the budget goes, with all deliveries that they may have.
   */
  async stopAfter(change: RunChange, tx: Transaction, attemptId: string): Promise<void> {
    if (!isUnderWay(change)) return;
    const ids = await this.races.agentIds(tx, change.run.id);
    change.set({ stopped: change.stopped ?? 'budget' });
    this.recordSkips(change, await this.skip(change, tx, ids, { after: attemptId }), 'budget');
  }

  private recordSkips(change: RunChange, skipped: ReadonlyMap<string, number>, reason: RunStopReason): void {
    for (const [run_agent_id, count] of skipped) {
      const payload = { run_agent_id, reason, skipped: count };
      change.record({
        type: 'run.lane_halted',
        payload: payload satisfies OrchestratorEventPayloads['run.lane_halted'],
      });
    }
  }

  /** By run agent. */
  private async skip(
    change: RunChange,
    tx: Transaction,
    ids: readonly string[],
    which: { isUnsent?: boolean; after?: string } = {},
  ): Promise<Map<string, number>> {
    const gone = await this.writes.skip(tx, ids, which);
    for (const { runAgentId, skipped } of gone) {
      change.count(runAgentId, { queued: -skipped, skipped });
      change.unfinished -= skipped;
      change.unscored -= skipped;
    }
    return new Map(gone.map(({ runAgentId, skipped }) => [runAgentId, skipped]));
  }

  /** Attempts that wait for another delivery have a history: they end as cancelled. */
  private async finishRedelivered(change: RunChange, tx: Transaction, ids: readonly string[]): Promise<void> {
    const none = { code: 'cancelled', message: '', lastSequence: 0 };
    const result = interruptedResult({ outcome: 'cancelled', ...none });
    const finished = await this.writes.finishRedelivered(tx, ids, { result, now: change.now });
    for (const attempt of finished)
      recordUnclaimedEnd(change, attempt, { outcome: 'cancelled', reason: 'decided' });
    const unscored = finished.filter(({ isScored }) => !isScored).map(({ id }) => id);
    if (unscored.length > 0) await this.scores.ofAttempts(change, tx, unscored);
  }
}

function isUnderWay({ status }: RunChange): boolean {
  return status === 'queued' || status === 'running' || status === 'paused';
}
