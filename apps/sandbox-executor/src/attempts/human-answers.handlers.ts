import { Listener, Subscribes } from '@agentclash/bus';
import { executionEvents, type In } from '@agentclash/contracts';
import { ParkedAttempts } from './parked-attempts.js';
import { Resumptions } from './resumptions.service.js';

@Listener()
export class HumanAnswersHandlers {
  constructor(
    private readonly parked: ParkedAttempts,
    private readonly resumptions: Resumptions,
  ) {}

  @Subscribes(executionEvents.turnGiven, 'each')
  onAnswered({ attempt_id, delivery }: In<typeof executionEvents.turnGiven>): void {
    const kept = this.parked.find(attempt_id);
    if (kept?.holding.delivery === delivery) void this.resumptions.goOn(kept);
  }
}
