import { Listener, Subscribes } from '@agentclash/bus';
import { type In, scoringEvents } from '@agentclash/contracts';
import { ScoresService } from './scores.service.js';

@Listener()
export class ScoresListener {
  constructor(private readonly scores: ScoresService) {}

  @Subscribes(scoringEvents.attemptsScored)
  async attemptsScored(scored: In<typeof scoringEvents.attemptsScored>) {
    await this.scores.attemptsScored(scored);
  }

  @Subscribes(scoringEvents.runScored)
  async runScored(scored: In<typeof scoringEvents.runScored>) {
    await this.scores.runScored(scored);
  }
}
