import { Hears, Listener } from '@agentclash/bus';
import { type In, scoringEvents } from '@agentclash/contracts';
import { ScoresService } from './scores.service.js';

@Listener()
export class ScoresListener {
  constructor(private readonly scores: ScoresService) {}

  @Hears(scoringEvents.attemptScored)
  async attemptScored(scored: In<typeof scoringEvents.attemptScored>) {
    await this.scores.attemptScored(scored);
  }

  @Hears(scoringEvents.runScored)
  async runScored(scored: In<typeof scoringEvents.runScored>) {
    await this.scores.runScored(scored);
  }
}
