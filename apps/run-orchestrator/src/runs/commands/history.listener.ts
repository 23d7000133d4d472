import { Listener, Subscribes } from '@agentclash/bus';
import { executionEvents, type In } from '@agentclash/contracts';
import { HistoryService } from '../queries/history.service.js';

@Listener()
export class HistoryListener {
  constructor(private readonly history: HistoryService) {}

  /** Messages that an instance hears are stored in the order in which they came: changes of a run are made in a line. */
  @Subscribes(executionEvents.emitted)
  async emitted(published: In<typeof executionEvents.emitted>) {
    await this.history.record(published);
  }
}
