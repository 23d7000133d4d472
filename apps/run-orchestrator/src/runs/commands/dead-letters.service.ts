import { Listener, Subscribes } from '@agentclash/bus';
import { busEvents, execution, type In, scoringJobs } from '@agentclash/contracts';
import { startsAttempts } from '@agentclash/domain';
import { interruptedResult, progressOf } from '@agentclash/run-rules';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Transaction } from '../../database.js';
import { RunChanges } from '../changes/run-changes.service.js';
import { RunCompletion } from '../changes/run-completion.js';
import { ScoreRequests } from '../changes/score-requests.js';
import type { RunChange } from '../state/run-change.js';
import { moveRun, recordUnclaimedEnd } from '../state/state-moves.js';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { AttemptWrites } from '../store/attempts/attempt-writes.store.js';
import { ScoresService } from './scores.service.js';

const RESULT = interruptedResult({
  outcome: 'infra_error',
  code: 'job_failed',
  message: 'No executor could take the attempt up.',
  lastSequence: 0,
});
const END = { outcome: 'infra_error', reason: 'job_failed' } as const;

/** Ends attempts that no executor could take up: no agent is to blame, and they can be retried. */
@Injectable()
export class UnclaimedJobs {
  constructor(
    private readonly changes: RunChanges,
    private readonly writes: AttemptWrites,
    private readonly scores: ScoreRequests,
    private readonly completion: RunCompletion,
  ) {}

  async end({ run_id: runId, attempt_ids: ids }: In<typeof execution.execute>): Promise<void> {
    await this.changes.make(runId, async (change, tx) => {
      if (!startsAttempts(change.status)) return;
      const unclaimed = await this.writes.finishUnclaimed(tx, runId, {
        ids,
        now: change.now,
        result: RESULT,
      });
      if (unclaimed.length === 0) return;
      if (change.status === 'queued') await this.start(change, tx);
      for (const attempt of unclaimed) recordUnclaimedEnd(change, attempt, END);
      const delivered = unclaimed.filter(({ isScored }) => !isScored).map(({ id }) => id);
      if (delivered.length > 0) await this.scores.ofAttempts(change, tx, delivered);
      change.requestDispatch('window');
      await this.completion.scoreIfComplete(change, tx);
    });
  }

  /** A run may have none at work yet. */
  private async start(change: RunChange, tx: Transaction): Promise<void> {
    const agents = await this.changes.agents(change, tx);
    change.set({ startedAt: change.now });
    moveRun(change, 'running', { counts: progressOf(agents.map(({ counts }) => counts)) });
  }
}

/** An attempt stays without a score after this many dead letters of its jobs: each was delivered several times. */
const SCORE_REQUESTS_MAX = 3;
/** As many when services were unavailable each time: about two hours by the waits between them. */
const UNAVAILABLE_SCORE_REQUESTS_MAX = 12;

/** Ends attempts and scores whose message became a dead letter, so that they are visible and can be retried. */
@Listener()
export class DeadLetters {
  private readonly ends: Readonly<Record<string, (content: unknown, code: string) => Promise<void>>> = {
    [execution.execute.subject]: (content, code) =>
      this.notExecuted(execution.execute.input.parse(content), code),
    [execution.prompt.subject]: (content, code) =>
      this.notExecuted(execution.prompt.input.parse(content), code),
    [scoringJobs.scoreAttempts.subject]: (content, code) =>
      this.notScored(scoringJobs.scoreAttempts.input.parse(content), code),
  };

  constructor(
    private readonly jobs: UnclaimedJobs,
    private readonly attempts: AttemptReads,
    private readonly scores: ScoresService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Subscribes(busEvents.deadLetter)
  async end({ content, service, ...deadLetter }: In<typeof busEvents.deadLetter>): Promise<void> {
    this.logger.error({ from_service: service, ...deadLetter }, 'dead letter received');
    await this.ends[deadLetter.subject]?.(content, deadLetter.code);
  }

  /** The reconcile loop repeats jobs that failed because a service was unavailable. */
  private async notExecuted(job: In<typeof execution.execute>, code: string): Promise<void> {
    if (code !== 'unavailable') await this.jobs.end(job);
  }

  /** A score that fails on our side again and again must not keep the run from ending: it can be scored again. */
  private async notScored(job: In<typeof scoringJobs.scoreAttempts>, code: string): Promise<void> {
    const { workspace_id, run_id, attempt_ids } = job;
    const failure = { code: 'scoring_failed', message: 'Scoring this attempt failed on our side.' };
    const nothing = { revision: 0, overall: null, passed: null, validity: 'invalid', failure };
    const requests = code === 'unavailable' ? UNAVAILABLE_SCORE_REQUESTS_MAX : SCORE_REQUESTS_MAX;
    const unscored = await this.attempts.unscored(run_id, attempt_ids, requests);
    const items = unscored.map((attempt) => ({ ...attempt, ...nothing }));
    if (items.length > 0) await this.scores.attemptsScored({ workspace_id, run_id, items });
  }
}
