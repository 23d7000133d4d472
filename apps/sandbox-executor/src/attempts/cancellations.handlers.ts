import { Listener, Subscribes } from '@agentclash/bus';
import { executionEvents, type In } from '@agentclash/contracts';
import { LiveAttempts } from './live-attempts.js';
import { Resumptions } from './resumptions.service.js';

@Listener()
export class CancellationsHandlers {
  constructor(
    private readonly live: LiveAttempts,
    private readonly resumptions: Resumptions,
  ) {}

  @Subscribes(executionEvents.cancelled, 'each')
  onCancelled({ run_id }: In<typeof executionEvents.cancelled>): void {
    this.live.cancelRun(run_id);
    void this.resumptions.cancelRun(run_id);
  }
}
