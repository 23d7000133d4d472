import { Listener, Subscribes } from '@agentclash/bus';
import { executionEvents, type In } from '@agentclash/contracts';
import { HistoryService } from '../queries/history.service.js';

@Listener()
export class HistoryListener {
  constructor(private readonly history: HistoryService) {}

  /** An instance stores messages in the order of arrival: changes of a run are serialized. */
  @Subscribes(executionEvents.emitted)
  async emitted(published: In<typeof executionEvents.emitted>) {
    await this.history.record(published);
  }
}
