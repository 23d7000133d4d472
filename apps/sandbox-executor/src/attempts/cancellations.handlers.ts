import { Hears, Listener } from '@agentclash/bus';
import { executionEvents, type In } from '@agentclash/contracts';
import { LiveAttempts } from './live-attempts.js';

@Listener()
export class CancellationsHandlers {
  constructor(private readonly live: LiveAttempts) {}

  @Hears(executionEvents.cancelled, 'each')
  onCancelled({ run_id }: In<typeof executionEvents.cancelled>): void {
    this.live.cancelRun(run_id);
  }
}
