import { readingNotes, runEvents } from '@agentclash/contracts';
import { endOfScoring, isRanked } from '@agentclash/domain';
import { type AgentCounts, failureOf, progressOf } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import type { RunChange } from '../state/run-change.js';
import { moveRun } from '../state/state-moves.js';
import { rankingSummary } from '../state/webhook-notice.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { RunChangesStore } from '../store/run-changes.store.js';
import { ScoreRequests } from './score-requests.js';

type Ranking = Record<string, unknown>[];

/** A run's ranking, and the round that it was requested for; an older scoring service omits the round. */
export interface Ranked {
  ranking: Ranking;
  round?: number | undefined;
}

/** The last steps of a run: scoring once all attempts are scored, its end once the ranking is there. */
@Injectable()
export class RunCompletion {
  constructor(
    private readonly store: RunChangesStore,
    private readonly attempts: AttemptReads,
    private readonly scores: ScoreRequests,
  ) {}

  /** Requests the run's ranking when every attempt is scored. */
  async scoreIfComplete(change: RunChange, tx: Transaction): Promise<void> {
    const mayScore = change.status === 'running' || change.status === 'paused';
    if (!mayScore || change.unscoredLeft > 0) return;
    // The last verdicts come first: the ranking is read with them.
    if (change.isRaceDue) return;
    const agents = await this.store.agents(change, tx);
    moveRun(change, 'scoring', { counts: progressOf(agents.map(({ counts }) => counts)) });
    this.scores.ofRun(change, agents);
  }

  /** Requests the ranking again of a run that was ranked by a scorecard which another one has replaced. */
  async scoreAgain(change: RunChange, tx: Transaction): Promise<void> {
    if (isRanked(change.status)) this.scores.ofRun(change, await this.store.agents(change, tx));
  }

  /**
   * Ends a scored run, or stores the later ranking of an ended one. A repeated ranking, or one that was requested
   * before a retry, changes nothing.
   */
  async complete(change: RunChange, tx: Transaction, { ranking, round }: Ranked): Promise<void> {
    const isOurs = round === undefined || round === change.run.round;
    if (!isOurs || !isRanked(change.status)) return;
    if (change.status !== 'scoring') {
      if (change.run.scoreDueAt !== null) change.set({ ranking, scoreDueAt: null });
      return;
    }
    const agents = (await this.store.agents(change, tx)).map(({ counts }) => counts);
    const to = isEndedByBudget(change, agents)
      ? 'completed'
      : endOfScoring(agents.reduce((sum, { usable }) => sum + usable, 0));
    const reason = failureOf(to, change.packErrors)?.code;
    moveRun(change, to, { counts: progressOf(agents), ...(reason !== undefined && { reason }) });
    await this.end(change, tx, ranking);
  }

  /** Ends a stopped run when its last attempt is in. */
  async endIfStopped(change: RunChange, tx: Transaction): Promise<void> {
    if (change.isStopping && change.unfinishedLeft === 0) await this.end(change, tx, []);
  }

  /** The last entry of the run's history. What is published here is published again until that is noted. */
  private async end(change: RunChange, tx: Transaction, ranking: Ranking): Promise<void> {
    const { status, now } = change;
    await this.store.setLatencies(tx, await this.attempts.laneLatencies(tx, change.run.id));
    const counts = progressOf((await this.store.agents(change, tx)).map((agent) => agent.counts));
    change.set({ finishedAt: now, ranking, scoreDueAt: null, announcedAt: null });
    const { selectiveRetry: selective_retry, caseSubset, modelCalls, imported } = change.run;
    const notes = readingNotes({
      selective_retry,
      ...(caseSubset && { case_subset: caseSubset }),
      ...(modelCalls && { model_calls: modelCalls }),
      ...(imported && { imported }),
    });
    const { stopped } = change;
    const payload = { status, counts, ranking, ...notes, ...(stopped !== null && { stopped }) };
    change.recordAndPublish(runEvents.completed, { type: 'run.completed', payload });
    const reason = stopped !== null && { stopped };
    change.notify({ event: 'run.completed', data: { counts, ...reason, ...rankingSummary(ranking) } });
  }
}

/** True when a budget ended every attempt that the run began: nothing has failed, though nothing was graded. */
function isEndedByBudget(change: RunChange, agents: readonly AgentCounts[]): boolean {
  if (change.stopped !== 'budget') return false;
  return agents.every(({ byOutcome: { cancelled, ...others } }) =>
    Object.values(others).every((count) => count === 0),
  );
}
