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

  attempt(ask: In<typeof scorecards.attempt>) {
    return this.service.attempt(ask);
  }

  attempts(request: In<typeof scorecards.attempts>) {
    return this.service.attempts(request);
  }

  runAgent(ask: In<typeof scorecards.runAgent>) {
    return this.service.runAgent(ask);
  }

  ranking(ask: In<typeof scorecards.ranking>) {
    return this.service.ranking(ask);
  }

  failures(ask: In<typeof scorecards.failures>) {
    return this.service.failures(ask);
  }

  rescore(ask: In<typeof scorecards.rescore>) {
    return this.rescoring.begin(ask);
  }
}
