import { Handles, type Serves } from '@agentclash/bus';
import { attempts, type In } from '@agentclash/contracts';
import { AttemptsService } from './attempts.service.js';

@Handles(attempts)
export class AttemptsHandlers implements Serves<typeof attempts> {
  constructor(private readonly service: AttemptsService) {}

  get(ask: In<typeof attempts.get>) {
    return this.service.get(ask);
  }

  events(ask: In<typeof attempts.events>) {
    return this.service.events(ask);
  }
}
