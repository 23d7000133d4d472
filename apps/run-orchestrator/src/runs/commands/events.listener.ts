import { Listener, Subscribes } from '@agentclash/bus';
import { executionEvents, type In, scoringEvents } from '@agentclash/contracts';
import { EventRecorder } from './event-recorder.js';
import { ScoresService } from './scores.service.js';

/** Hands events of executors and of scoring to the services that store them. */
@Listener()
export class EventsListener {
  constructor(
    private readonly recorder: EventRecorder,
    private readonly scores: ScoresService,
  ) {}

  /** An instance stores messages in the order of arrival: changes of a run are serialized. */
  @Subscribes(executionEvents.emitted)
  async emitted(published: In<typeof executionEvents.emitted>) {
    await this.recorder.record(published);
  }

  @Subscribes(scoringEvents.attemptsScored)
  async attemptsScored(scored: In<typeof scoringEvents.attemptsScored>) {
    await this.scores.attemptsScored(scored);
  }

  @Subscribes(scoringEvents.runScored)
  async runScored(scored: In<typeof scoringEvents.runScored>) {
    await this.scores.runScored(scored);
  }
}
