import { Listener, Subscribes } from '@agentclash/bus';
import { busEvents, execution, type In, scoringJobs } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject } from '@nestjs/common';
import { AttemptReads } from '../store/attempts/attempt-reads.store.js';
import { ScoresService } from './scores.service.js';
import { UnclaimedJobs } from './unclaimed-jobs.js';

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
