import { Handles, type Serves } from '@agentclash/bus';
import { type In, scoringJobs } from '@agentclash/contracts';
import { AttemptScoring } from '../attempts/attempt-scoring.service.js';
import { Rescoring } from '../rescoring/rescoring.service.js';
import { RunScoring } from '../runs/run-scoring.service.js';

@Handles(scoringJobs)
export class ScoringJobsHandlers implements Serves<typeof scoringJobs> {
  constructor(
    private readonly attempts: AttemptScoring,
    private readonly runs: RunScoring,
    private readonly rescoring: Rescoring,
  ) {}

  scoreAttempts(job: In<typeof scoringJobs.scoreAttempts>) {
    return this.attempts.scoreAll(job);
  }

  scoreRun(job: In<typeof scoringJobs.scoreRun>) {
    return this.runs.score(job);
  }

  rescoreRun(job: In<typeof scoringJobs.rescoreRun>) {
    return this.rescoring.work(job);
  }
}
