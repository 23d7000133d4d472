import { Handles, type Serves } from '@agentclash/bus';
import { baselines, type In } from '@agentclash/contracts';
import { BaselinesService } from './baselines.service.js';

@Handles(baselines)
export class BaselinesHandlers implements Serves<typeof baselines> {
  constructor(private readonly service: BaselinesService) {}

  set(ask: In<typeof baselines.set>) {
    return this.service.set(ask);
  }

  get(ask: In<typeof baselines.get>) {
    return this.service.get(ask);
  }

  list(ask: In<typeof baselines.list>) {
    return this.service.list(ask);
  }

  async remove(ask: In<typeof baselines.remove>) {
    await this.service.remove(ask);
    return {};
  }
}
