import { Handles, type Serves } from '@agentclash/bus';
import { gates, type In } from '@agentclash/contracts';
import { GatesService } from './gates.service.js';

@Handles(gates)
export class GatesHandlers implements Serves<typeof gates> {
  constructor(private readonly service: GatesService) {}

  evaluate(request: In<typeof gates.evaluate>) {
    return this.service.evaluate(request);
  }

  preview(request: In<typeof gates.preview>) {
    return this.service.preview(request);
  }

  list(request: In<typeof gates.list>) {
    return this.service.list(request);
  }
}
