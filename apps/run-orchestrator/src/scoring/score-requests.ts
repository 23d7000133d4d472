import { scoringJobs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { AttemptsStore } from '../attempts/attempts.store.js';
import type { Transaction } from '../database.js';
import { progressOf } from '../runs/progress.js';
import type { RunChange } from '../runs/run-change.js';
import type { CountedAgent } from '../runs/run-changes.store.js';

/** A run's score is asked for again after this long without an answer. */
const RUN_SCORE_WAIT_MS = 60_000;

/** Asks for scores; an answer that does not come is asked for again by the reconcile loop. */
@Injectable()
export class ScoreRequests {
  constructor(private readonly attempts: AttemptsStore) {}

  async ofAttempts(change: RunChange, tx: Transaction, ids: string[]): Promise<void> {
    const { run, now } = change;
    const asked = await this.attempts.askScore(tx, ids, now);
    for (const { id, runAgentId, delivery, scoreNudge } of asked) {
      const input = {
        workspace_id: run.workspaceId,
        run_id: run.id,
        run_agent_id: runAgentId,
        attempt_id: id,
      };
      change.send(scoringJobs.scoreAttempt, input, `score:${id}:${delivery}:${scoreNudge}`);
    }
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
