import { type AttemptScored, type In, runEvents, type scoringEvents } from '@agentclash/contracts';
import { isRanked } from '@agentclash/domain';
import {
  changedPackErrors,
  eventsOfScoring,
  interruptedResult,
  isUngradable,
  type PackErrorChange,
  scoreChange,
} from '@agentclash/run-rules';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { RunCompletion } from '../changes/run-completion.js';
import { RunTermination } from '../changes/run-termination.js';
import { ScoreRequests } from '../changes/score-requests.js';
import type { RunChange } from '../state/run-change.js';
import { AttemptReads, type ScoredAttempt } from '../store/attempts/attempt-reads.store.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import { RaceDecisions } from './race-decisions.js';

@Injectable()
export class ScoresService {
  constructor(
    private readonly changes: RunChanges,
    private readonly attempts: AttemptReads,
    private readonly writes: AttemptWrites,
    private readonly completion: RunCompletion,
    private readonly termination: RunTermination,
    private readonly decisions: RaceDecisions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Stores scores of a run's attempts; the last one requests the run's ranking. */
  async attemptsScored({ run_id, items }: In<typeof scoringEvents.attemptsScored>): Promise<void> {
    for (const { attempt_id, failure } of items)
      if (failure) this.logger.error({ attempt_id, failure }, 'scoring of an attempt failed');
    const isRaceDue = await this.changes.join(
      run_id,
      (change, tx) => this.keep(change, tx, items),
      items.length,
    );
    if (isRaceDue) this.decisions.request(run_id);
  }

  async runScored({ run_id, ...scored }: In<typeof scoringEvents.runScored>): Promise<void> {
    await this.changes.make(run_id, (change, tx) => this.completion.complete(change, tx, scored));
  }

  /** True when the scores are new evidence of a race. */
  private async keep(change: RunChange, tx: Transaction, items: readonly AttemptScored[]): Promise<boolean> {
    const ids = items.map(({ attempt_id }) => attempt_id);
    const rows = await this.attempts.findScored(tx, change.run.id, ids);
    const written = new Map<string, AttemptScored>();
    const packErrors: PackErrorChange[] = [];
    let isReplaced = false;
    const current = items.filter((scored) => isOfDelivery(rows.get(scored.attempt_id), scored));
    for (const scored of current) {
      const row = rows.get(scored.attempt_id);
      const counts = row && scoreChange(row, scored);
      if (!row || !counts) continue;
      recordScoring(change, scored, row);
      const packError = scored.pack_error ?? null;
      packErrors.push({ case_key: row.caseKey, before: row.packError, after: packError });
      rows.set(row.id, { ...row, ...scored, packError });
      written.set(row.id, scored);
      change.count(row.runAgentId, counts);
      change.unscored -= counts.scored ?? 0;
      isReplaced ||= counts.scored === 0 && !scored.rescore_id;
      if (change.run.finishedAt === null) publishScore(change, scored, row);
    }
    const known = current.map(({ attempt_id }) => attempt_id).filter((id) => !written.has(id));
    if (known.length > 0) await this.writes.settleScores(tx, known);
    if (written.size === 0) return false;
    await this.writes.writeScores(tx, [...written.values()]);
    const isBroken = packErrors.some(({ before, after }) => before !== null || after !== null);
    if (isBroken) change.set({ packErrors: changedPackErrors(change.packErrors, packErrors) });
    if (await this.isUngradable(change, tx)) {
      await this.failRun(change, tx);
      return false;
    }
    const isRaceDue = change.run.stopWhen?.decided !== undefined;
    if (isRaceDue) change.set({ raceDueAt: change.now });
    if (isReplaced) await this.completion.scoreAgain(change, tx);
    await this.completion.scoreIfComplete(change, tx);
    return isRaceDue;
  }

  /** Anything beyond one batch is left to the reconcile loop. */
  private async failRun(change: RunChange, tx: Transaction): Promise<void> {
    await this.termination.stop(change, tx, 'failed', 'pack_errors');
    await this.termination.finishWaiting(change, tx);
  }

  private async isUngradable(change: RunChange, tx: Transaction): Promise<boolean> {
    const { status, packErrors } = change;
    if ((status !== 'running' && status !== 'paused') || !isUngradable(packErrors, 0)) return false;
    const agents = await this.changes.agents(change, tx);
    return isUngradable(
      packErrors,
      agents.reduce((sum, { counts }) => sum + counts.usable, 0),
    );
  }
}

/** False after a later delivery of the attempt. An older scoring service omits the delivery. */
function isOfDelivery(row: ScoredAttempt | undefined, { delivery }: AttemptScored): boolean {
  return row !== undefined && (delivery === undefined || delivery === row.delivery);
}

/** Nothing of an attempt that was never delivered: it has no history. */
function recordScoring(change: RunChange, scored: AttemptScored, row: ScoredAttempt): void {
  const { id: attemptId, runAgentId, delivery, caseKey, repetition, lastSequence } = row;
  if (lastSequence === null) return;
  const last = Math.max(lastSequence, ...change.numbersOf(attemptId, delivery));
  const scoredDelivery = { runId: change.run.id, runAgentId, attemptId, delivery, caseKey, repetition };
  change.append(eventsOfScoring({ ...scoredDelivery, lastSequence: last }, scored, change.now));
}

function publishScore(change: RunChange, scored: AttemptScored, before: ScoredAttempt): void {
  const { run_agent_id, attempt_id, overall, passed, validity, pack_error } = scored;
  const { caseKey, repetition, revision } = before;
  const replaces = { overall: before.overall, passed: before.passed };
  const attempt = { run_agent_id, attempt_id, case_key: caseKey, repetition };
  change.recordAndPublish(runEvents.attemptScored, {
    type: 'run.attempt_scored',
    payload: {
      ...{ attempt_id, overall, passed, validity },
      ...(pack_error !== undefined && { pack_error }),
      ...(revision !== null && { replaces }),
    },
    attempt,
  });
}

/** Requests missing scores again. */
@Injectable()
export class ScoreRepairs {
  constructor(
    private readonly changes: RunChanges,
    private readonly attempts: AttemptReads,
    private readonly writes: AttemptWrites,
    private readonly requests: ScoreRequests,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async ofAttempts(runId: string, ids: string[]): Promise<void> {
    await this.changes.make(runId, async (change, tx) => {
      const due = await this.attempts.stillDue(tx, ids, change.now);
      for (const { id, isWhole } of due) if (!isWhole) await this.replaceIncompleteResult(change, tx, id);
      const again = due.map(({ id }) => id);
      if (again.length > 0) await this.requests.ofAttempts(change, tx, again);
    });
  }

  async ofRun(runId: string): Promise<void> {
    await this.changes.make(runId, async (change, tx) => {
      const { scoreDueAt } = change.run;
      const isDue = scoreDueAt !== null && scoreDueAt < change.now;
      if (isDue && isRanked(change.status))
        this.requests.ofRun(change, await this.changes.agents(change, tx));
    });
  }

  /** An attempt must not be judged by half its evidence: it counts as not delivered. */
  private async replaceIncompleteResult(
    change: RunChange,
    tx: Transaction,
    attemptId: string,
  ): Promise<void> {
    const result = interruptedResult({
      outcome: 'infra_error',
      code: 'events_lost',
      message: 'Not all events of the attempt arrived.',
      lastSequence: 0,
    });
    const before = await this.writes.replaceResult(tx, attemptId, result);
    change.count(before.runAgentId, { byOutcome: { [before.outcome]: -1 } });
    change.count(before.runAgentId, { byOutcome: { infra_error: 1 } });
    this.logger.error({ attempt_id: attemptId, outcome: before.outcome }, 'events of an attempt are missing');
  }
}
