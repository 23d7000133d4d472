import { Listener, Subscribes } from '@agentclash/bus';
import { busEvents, type In } from '@agentclash/contracts';
import { DeadLetters } from './dead-letters.service.js';

@Listener()
export class DeadLettersListener {
  constructor(private readonly messages: DeadLetters) {}

  @Subscribes(busEvents.deadLetter)
  async deadLetter(message: In<typeof busEvents.deadLetter>) {
    await this.messages.end(message);
  }
}
