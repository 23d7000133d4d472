import { Hears, Listener } from '@agentclash/bus';
import { executionEvents, type In } from '@agentclash/contracts';
import { HistoryService } from './history.service.js';
import { KeyedLine } from './keyed-line.js';

@Listener()
export class HistoryListener {
  /** Batches of an attempt are stored in the order in which they were emitted. */
  private readonly line = new KeyedLine();

  constructor(private readonly history: HistoryService) {}

  @Hears(executionEvents.emitted)
  async emitted(batch: In<typeof executionEvents.emitted>) {
    await this.line.run(batch.attempt_id, () => this.history.record(batch));
  }
}
