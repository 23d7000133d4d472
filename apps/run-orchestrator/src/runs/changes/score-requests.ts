import { createHash } from 'node:crypto';
import { scoringJobs } from '@agentclash/contracts';
import { type AgentCounts, progressOf } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import type { RunChange } from '../state/run-change.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import type { ScoreRequest } from '../store/attempts/delivery-writes.store.js';
import type { CountedAgent } from '../store/run-changes.store.js';

/** A run's ranking is requested again after this long. */
const RUN_SCORE_WAIT_MS = 60_000;

/** An attempt's score is requested again after this long; the wait doubles each time. */
const ATTEMPT_SCORE_WAITS = { firstMs: 30_000, doublingsMax: 5 };

/** When the score of an attempt is requested again. */
export function scoreRetryAt(now: Date): Date {
  return new Date(now.getTime() + ATTEMPT_SCORE_WAITS.firstMs);
}

/** Attempts in one job: they are read, graded and stored together. */
const ATTEMPTS_PER_JOB = 32;

/**
 * The id names round, deliveries and requests, so that a repeat of one request is dropped and the next one is not: an
 * attempt that is cancelled before it is delivered again still has the delivery of the round before.
 */
export function sendScoreJobs(change: RunChange, requested: readonly ScoreRequest[]): void {
  const { id: run_id, workspaceId: workspace_id, round } = change.run;
  for (let from = 0; from < requested.length; from += ATTEMPTS_PER_JOB) {
    const together = requested.slice(from, from + ATTEMPTS_PER_JOB);
    const input = { workspace_id, run_id, attempt_ids: together.map(({ id }) => id) };
    change.send(scoringJobs.scoreAttempts, input, `score:${round}:${nameOf(together)}`);
  }
}

function nameOf(requested: readonly ScoreRequest[]): string {
  const names = requested.map(({ id, delivery, requestNumber }) => `${id}:${delivery}:${requestNumber}`);
  return createHash('sha256').update(names.join()).digest('base64url');
}

/** Attempts that are evidence or miss: neither skipped nor cancelled for a verdict. A cancelled run has no ranking. */
function attemptsOf(counts: AgentCounts): number {
  const { total, skipped = 0, by_outcome } = progressOf([counts]);
  return total - skipped - (by_outcome.cancelled ?? 0);
}

/** A lane of a run that was not cancelled lacks attempts: it left the race early. */
export function isHalted({ counts }: Pick<CountedAgent, 'counts'>): boolean {
  return attemptsOf(counts) < progressOf([counts]).total;
}

/** Requests scores; the reconcile loop repeats requests without a result. */
@Injectable()
export class ScoreRequests {
  constructor(private readonly writes: AttemptWrites) {}

  async ofAttempts(change: RunChange, tx: Transaction, ids: string[]): Promise<void> {
    const requested = await this.writes.requestScores(tx, ids, { now: change.now, ...ATTEMPT_SCORE_WAITS });
    sendScoreJobs(change, requested);
  }

  ofRun(change: RunChange, agents: readonly CountedAgent[]): void {
    const { run, now } = change;
    change.set({ scoreDueAt: new Date(now.getTime() + RUN_SCORE_WAIT_MS) });
    const input = {
      workspace_id: run.workspaceId,
      run_id: run.id,
      challenge_pack_version_id: run.versionId,
      evaluation_spec_id: run.evaluationSpecId,
      repetitions: run.repetitions,
      round: run.round,
      is_stopped: change.stopped !== null || (run.stopWhen !== null && agents.some(isHalted)),
      agents: agents.map(({ id, name, variant, counts }) => ({
        run_agent_id: id,
        name,
        ...(variant && { variant }),
        attempts_planned: attemptsOf(counts),
      })),
    };
    change.send(scoringJobs.scoreRun, input, `score-run:${run.id}:${now.getTime()}`);
  }
}
