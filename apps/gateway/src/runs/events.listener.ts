import { Listener, Subscribes } from '@agentclash/bus';
import { executionEvents, type In } from '@agentclash/contracts';
import { WakeUps } from './wake-ups.js';

/** Every gateway hears of stored events, since any may hold the stream that waits for them. */
@Listener()
export class EventsListener {
  constructor(private readonly wakeUps: WakeUps) {}

  @Subscribes(executionEvents.recorded, 'each')
  recorded({ run_id, position }: In<typeof executionEvents.recorded>): void {
    this.wakeUps.recorded(run_id, position);
  }
}
