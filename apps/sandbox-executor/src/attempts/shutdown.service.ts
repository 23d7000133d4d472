import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Registration } from '../registration/registration.loop.js';
import { LiveAttempts } from './capacity/live-attempts.js';
import { ParkedLoop } from './resumptions/parked.loop.js';
import { Resumptions } from './resumptions/resumptions.service.js';

/**
 * Ends the attempts of this executor, so that the bus has no running handler to wait for: first the executor is
 * deregistered, then parked attempts are no longer checked, then running attempts are aborted and parked ones ended. It
 * runs before the hooks of the modules below this one.
 */
@Injectable()
export class ExecutorShutdown implements BeforeApplicationShutdown {
  constructor(
    private readonly registration: Registration,
    private readonly parkedLoop: ParkedLoop,
    private readonly live: LiveAttempts,
    private readonly resumptions: Resumptions,
  ) {}

  async beforeApplicationShutdown(): Promise<void> {
    await this.registration.stop();
    await this.parkedLoop.stop();
    this.live.stopAll();
    await this.resumptions.drain();
  }
}
