import { Handles, type Serves } from '@agentclash/bus';
import { evidence, type In } from '@agentclash/contracts';
import { EvidenceService } from './evidence.service.js';

@Handles(evidence)
export class EvidenceHandlers implements Serves<typeof evidence> {
  constructor(private readonly service: EvidenceService) {}

  get(ask: In<typeof evidence.get>) {
    return this.service.get(ask);
  }

  events(request: In<typeof evidence.events>) {
    return this.service.events(request);
  }

  async field(ask: In<typeof evidence.field>) {
    return { items: await this.service.field(ask) };
  }
}
