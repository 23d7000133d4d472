import { type busEvents, execution, type In, scoringJobs } from '@agentclash/contracts';
import { LOGGER, type Logger } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { ScoresService } from '../scoring/scores.service.js';
import { GivenUpStore } from './given-up.store.js';
import { UntakenJobs } from './untaken-jobs.js';

/** A score is done without when this many jobs for it were given up: each was tried several times. */
const SCORE_ASKS = 3;

/** Ends what waits for a message that nobody tries any more, so that it is seen and can be retried. */
@Injectable()
export class GivenUpMessages {
  private readonly ends: Readonly<Record<string, (content: unknown) => Promise<void>>> = {
    [execution.execute.subject]: (content) => this.jobs.end(execution.execute.input.parse(content)),
    [execution.prompt.subject]: (content) => this.jobs.end(execution.prompt.input.parse(content)),
    [scoringJobs.scoreAttempts.subject]: (content) =>
      this.notScored(scoringJobs.scoreAttempts.input.parse(content)),
  };

  constructor(
    private readonly jobs: UntakenJobs,
    private readonly store: GivenUpStore,
    private readonly scores: ScoresService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What failed because a neighbour was away is asked for again by the reconcile loop. */
  async end({ content, ...told }: In<typeof busEvents.givenUp>): Promise<void> {
    this.logger.error(told, 'a service gave a message up');
    if (told.code !== 'unavailable') await this.ends[told.subject]?.(content);
  }

  /** A score that fails on our side again and again must not keep the run from ending: it can be scored again. */
  private async notScored(job: In<typeof scoringJobs.scoreAttempts>): Promise<void> {
    const { workspace_id, run_id, attempt_ids } = job;
    const failure = { code: 'scoring_failed', message: 'Scoring this attempt failed on our side.' };
    const nothing = { revision: 0, overall: null, passed: null, validity: 'invalid', failure };
    const unscored = await this.store.unscored(run_id, attempt_ids, SCORE_ASKS);
    const items = unscored.map((attempt) => ({ ...attempt, ...nothing }));
    if (items.length > 0) await this.scores.attemptsScored({ workspace_id, run_id, items });
  }
}
