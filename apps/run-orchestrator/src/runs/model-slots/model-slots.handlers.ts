import { Handles, type Serves } from '@agentclash/bus';
import { type In, modelSlots } from '@agentclash/contracts';
import { ModelSlotsService } from './model-slots.service.js';

@Handles(modelSlots)
export class ModelSlotsHandlers implements Serves<typeof modelSlots> {
  constructor(private readonly service: ModelSlotsService) {}

  acquire(request: In<typeof modelSlots.acquire>) {
    return this.service.acquire(request);
  }

  renew(request: In<typeof modelSlots.renew>) {
    return this.service.renew(request);
  }

  async release(request: In<typeof modelSlots.release>) {
    await this.service.release(request);
    return {};
  }
}
