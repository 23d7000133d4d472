import { Handles, type Serves } from '@agentclash/bus';
import { type In, scoringJobs } from '@agentclash/contracts';
import { ScorecardsService } from './scorecards.service.js';

@Handles(scoringJobs)
export class ScoringJobsHandlers implements Serves<typeof scoringJobs> {
  constructor(private readonly service: ScorecardsService) {}

  scoreAttempt(job: In<typeof scoringJobs.scoreAttempt>) {
    return this.service.scoreAttempt(job);
  }

  scoreRun(job: In<typeof scoringJobs.scoreRun>) {
    return this.service.scoreRun(job);
  }
}
