import { Handles, type Serves } from '@agentclash/bus';
import { evidence, type In } from '@agentclash/contracts';
import { EvidenceService } from './evidence.service.js';

@Handles(evidence)
export class EvidenceHandlers implements Serves<typeof evidence> {
  constructor(private readonly service: EvidenceService) {}

  get(request: In<typeof evidence.get>) {
    return this.service.get(request);
  }

  events(request: In<typeof evidence.events>) {
    return this.service.events(request);
  }

  async field(request: In<typeof evidence.field>) {
    return { items: await this.service.field(request) };
  }
}
