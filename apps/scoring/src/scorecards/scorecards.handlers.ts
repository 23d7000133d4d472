import { Handles, type Serves } from '@agentclash/bus';
import { type In, scorecards } from '@agentclash/contracts';
import { Rescoring } from '../rescoring/rescoring.service.js';
import { ScorecardsService } from './scorecards.service.js';

@Handles(scorecards)
export class ScorecardsHandlers implements Serves<typeof scorecards> {
  constructor(
    private readonly service: ScorecardsService,
    private readonly rescoring: Rescoring,
  ) {}

  attempt(request: In<typeof scorecards.attempt>) {
    return this.service.attempt(request);
  }

  attempts(request: In<typeof scorecards.attempts>) {
    return this.service.attempts(request);
  }

  runAgent(request: In<typeof scorecards.runAgent>) {
    return this.service.runAgent(request);
  }

  ranking(request: In<typeof scorecards.ranking>) {
    return this.service.ranking(request);
  }

  failures(request: In<typeof scorecards.failures>) {
    return this.service.failures(request);
  }

  rescore(request: In<typeof scorecards.rescore>) {
    return this.rescoring.begin(request);
  }
}
