import { Handles, type Serves } from '@agentclash/bus';
import { baselines, type In } from '@agentclash/contracts';
import { BaselinesService } from './baselines.service.js';

@Handles(baselines)
export class BaselinesHandlers implements Serves<typeof baselines> {
  constructor(private readonly service: BaselinesService) {}

  set(request: In<typeof baselines.set>) {
    return this.service.set(request);
  }

  get(request: In<typeof baselines.get>) {
    return this.service.get(request);
  }

  list(request: In<typeof baselines.list>) {
    return this.service.list(request);
  }

  async remove(request: In<typeof baselines.remove>) {
    await this.service.remove(request);
    return {};
  }
}
