import { Handles, type Serves } from '@agentclash/bus';
import { type In, tools } from '@agentclash/contracts';
import { ToolsService } from './tools.service.js';

@Handles(tools)
export class ToolsHandlers implements Serves<typeof tools> {
  constructor(private readonly service: ToolsService) {}

  create(ask: In<typeof tools.create>) {
    return this.service.create(ask);
  }

  update(ask: In<typeof tools.update>) {
    return this.service.update(ask);
  }

  list(ask: In<typeof tools.list>) {
    return this.service.list(ask);
  }

  get(ask: In<typeof tools.get>) {
    return this.service.get(ask);
  }

  async remove(ask: In<typeof tools.remove>) {
    await this.service.remove(ask);
    return {};
  }
}
