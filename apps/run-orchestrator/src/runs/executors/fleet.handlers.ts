import { Handles, type Serves } from '@agentclash/bus';
import { fleet } from '@agentclash/contracts';
import { Executors } from './executors.service.js';

@Handles(fleet)
export class FleetHandlers implements Serves<typeof fleet> {
  constructor(private readonly executors: Executors) {}

  async list() {
    return { items: await this.executors.atWork() };
  }
}
