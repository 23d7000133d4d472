import { Listener, Subscribes } from '@agentclash/bus';
import { executionEvents, type In } from '@agentclash/contracts';
import { LiveAttempts } from './capacity/live-attempts.js';
import { Leases } from './leases/leases.loop.js';
import { ParkedAttempts } from './parking/parked-attempts.js';
import { Resumptions } from './resumptions/resumptions.service.js';

/** Events of the orchestrator that concern attempts of this executor. */
@Listener()
export class ExecutionEventsHandlers {
  constructor(
    private readonly leases: Leases,
    private readonly live: LiveAttempts,
    private readonly parked: ParkedAttempts,
    private readonly resumptions: Resumptions,
  ) {}

  @Subscribes(executionEvents.cancelled, 'each')
  onCancelled({ run_id }: In<typeof executionEvents.cancelled>): void {
    this.live.cancelRun(run_id);
    void this.resumptions.cancelRun(run_id);
  }

  @Subscribes(executionEvents.halted, 'each')
  onHalted(_event: In<typeof executionEvents.halted>): void {
    this.leases.renewNow();
  }

  @Subscribes(executionEvents.turnGiven, 'each')
  onTurnGiven({ attempt_id, delivery }: In<typeof executionEvents.turnGiven>): void {
    const held = this.parked.find(attempt_id);
    if (held?.holding.delivery === delivery) void this.resumptions.resume(held);
  }
}
