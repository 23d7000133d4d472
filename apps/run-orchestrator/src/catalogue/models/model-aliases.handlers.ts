import { Handles, type Serves } from '@agentclash/bus';
import { type In, modelAliases } from '@agentclash/contracts';
import { ModelAliasesService } from './model-aliases.service.js';

@Handles(modelAliases)
export class ModelAliasesHandlers implements Serves<typeof modelAliases> {
  constructor(private readonly service: ModelAliasesService) {}

  create(request: In<typeof modelAliases.create>) {
    return this.service.create(request);
  }

  update(request: In<typeof modelAliases.update>) {
    return this.service.update(request);
  }

  list(request: In<typeof modelAliases.list>) {
    return this.service.list(request);
  }

  get(request: In<typeof modelAliases.get>) {
    return this.service.get(request);
  }

  async remove(request: In<typeof modelAliases.remove>) {
    await this.service.remove(request);
    return {};
  }
}
