import { Hears, Listener } from '@agentclash/bus';
import { busEvents, type In } from '@agentclash/contracts';
import { GivenUpMessages } from './given-up.service.js';

@Listener()
export class GivenUpListener {
  constructor(private readonly messages: GivenUpMessages) {}

  @Hears(busEvents.givenUp)
  async givenUp(told: In<typeof busEvents.givenUp>) {
    await this.messages.end(told);
  }
}
