import { Handles, type Serves } from '@agentclash/bus';
import { type In, tools } from '@agentclash/contracts';
import { ToolsService } from './tools.service.js';

@Handles(tools)
export class ToolsHandlers implements Serves<typeof tools> {
  constructor(private readonly service: ToolsService) {}

  create(request: In<typeof tools.create>) {
    return this.service.create(request);
  }

  update(request: In<typeof tools.update>) {
    return this.service.update(request);
  }

  list(request: In<typeof tools.list>) {
    return this.service.list(request);
  }

  get(request: In<typeof tools.get>) {
    return this.service.get(request);
  }

  async remove(request: In<typeof tools.remove>) {
    await this.service.remove(request);
    return {};
  }
}
