import { Listener, Subscribes } from '@agentclash/bus';
import { busEvents, type In } from '@agentclash/contracts';
import { GivenUpMessages } from './dead-letters.service.js';

@Listener()
export class GivenUpListener {
  constructor(private readonly messages: GivenUpMessages) {}

  @Subscribes(busEvents.deadLetter)
  async givenUp(told: In<typeof busEvents.deadLetter>) {
    await this.messages.end(told);
  }
}
