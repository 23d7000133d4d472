import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { Registration } from '../registration/registration.loop.js';
import { LiveAttempts } from './live-attempts.js';
import { ParkedLoop } from './parked.loop.js';
import { Resumptions } from './resumptions.service.js';

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
