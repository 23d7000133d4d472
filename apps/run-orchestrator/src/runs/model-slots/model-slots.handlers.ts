import { Handles, type Serves } from '@agentclash/bus';
import { type In, modelSlots } from '@agentclash/contracts';
import { ModelSlotsService } from './model-slots.service.js';

@Handles(modelSlots)
export class ModelSlotsHandlers implements Serves<typeof modelSlots> {
  constructor(private readonly service: ModelSlotsService) {}

  acquire(ask: In<typeof modelSlots.acquire>) {
    return this.service.acquire(ask);
  }

  renew(ask: In<typeof modelSlots.renew>) {
    return this.service.renew(ask);
  }

  async release(ask: In<typeof modelSlots.release>) {
    await this.service.release(ask);
    return {};
  }
}
