import { Handles, type Serves } from '@agentclash/bus';
import { type In, runs } from '@agentclash/contracts';
import { RunsService } from './runs.service.js';

@Handles(runs)
export class RunsHandlers implements Serves<typeof runs> {
  constructor(private readonly service: RunsService) {}

  create(ask: In<typeof runs.create>) {
    return this.service.create(ask);
  }

  list(ask: In<typeof runs.list>) {
    return this.service.list(ask);
  }

  get(ask: In<typeof runs.get>) {
    return this.service.get(ask);
  }

  agent(ask: In<typeof runs.agent>) {
    return this.service.agent(ask);
  }

  async agents(ask: In<typeof runs.agents>) {
    return { items: await this.service.agents(ask) };
  }

  attempts(ask: In<typeof runs.attempts>) {
    return this.service.attempts(ask);
  }

  cancel(ask: In<typeof runs.cancel>) {
    return this.service.cancel(ask);
  }

  events(ask: In<typeof runs.events>) {
    return this.service.events(ask);
  }
}
