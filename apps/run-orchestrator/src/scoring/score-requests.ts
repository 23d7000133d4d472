import { scoringJobs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { AttemptsStore, type ScoreNudge } from '../attempts/attempts.store.js';
import type { Transaction } from '../database.js';
import { progressOf } from '../runs/progress.js';
import type { RunChange } from '../runs/run-change.js';
import type { CountedAgent } from '../runs/run-changes.store.js';

/** A run's score is asked for again after this long without an answer. */
const RUN_SCORE_WAIT_MS = 60_000;

/** An attempt's score is asked for again after this long, then after twice as long, and so on. */
const ATTEMPT_SCORE_WAITS = { firstMs: 30_000, doublingsMax: 5 };

/** When to ask again for the score of an attempt that was just asked for. */
export function scoreRetryAt(now: Date): Date {
  return new Date(now.getTime() + ATTEMPT_SCORE_WAITS.firstMs);
}

/** The id names delivery and request, so that a repeat of one request is dropped and the next one is not. */
export function sendScoreJob(change: RunChange, asked: ScoreNudge): void {
  const { id, runAgentId, delivery, scoreNudge } = asked;
  const { id: run_id, workspaceId: workspace_id } = change.run;
  const input = { workspace_id, run_id, run_agent_id: runAgentId, attempt_id: id };
  change.send(scoringJobs.scoreAttempt, input, `score:${id}:${delivery}:${scoreNudge}`);
}

/** Asks for scores; an answer that does not come is asked for again by the reconcile loop. */
@Injectable()
export class ScoreRequests {
  constructor(private readonly attempts: AttemptsStore) {}

  async ofAttempts(change: RunChange, tx: Transaction, ids: string[]): Promise<void> {
    const asked = await this.attempts.askScore(tx, ids, { now: change.now, ...ATTEMPT_SCORE_WAITS });
    for (const nudge of asked) sendScoreJob(change, nudge);
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
      agents: agents.map(({ id, name, counts }) => ({
        run_agent_id: id,
        name,
        attempts_planned: progressOf([counts]).total,
      })),
    };
    change.send(scoringJobs.scoreRun, input, `score-run:${run.id}:${now.getTime()}`);
  }
}
