import { Handles, type Serves } from '@agentclash/bus';
import { gates, type In } from '@agentclash/contracts';
import { GatesService } from './gates.service.js';

@Handles(gates)
export class GatesHandlers implements Serves<typeof gates> {
  constructor(private readonly service: GatesService) {}

  evaluate(ask: In<typeof gates.evaluate>) {
    return this.service.evaluate(ask);
  }

  preview(ask: In<typeof gates.preview>) {
    return this.service.preview(ask);
  }

  list(ask: In<typeof gates.list>) {
    return this.service.list(ask);
  }
}
