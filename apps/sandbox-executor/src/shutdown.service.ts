import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { LiveAttempts } from './attempts/live-attempts.js';
import { ParkedLoop } from './attempts/parked.loop.js';
import { Resumptions } from './attempts/resumptions.service.js';
import { Registration } from './registration/registration.loop.js';

/** Ends the attempts of this executor, so that the bus has no running handler to wait for. */
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
