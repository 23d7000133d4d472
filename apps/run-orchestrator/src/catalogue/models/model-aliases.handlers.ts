import { Handles, type Serves } from '@agentclash/bus';
import { type In, modelAliases } from '@agentclash/contracts';
import { ModelAliasesService } from './model-aliases.service.js';

@Handles(modelAliases)
export class ModelAliasesHandlers implements Serves<typeof modelAliases> {
  constructor(private readonly service: ModelAliasesService) {}

  create(ask: In<typeof modelAliases.create>) {
    return this.service.create(ask);
  }

  update(ask: In<typeof modelAliases.update>) {
    return this.service.update(ask);
  }

  list(ask: In<typeof modelAliases.list>) {
    return this.service.list(ask);
  }

  get(ask: In<typeof modelAliases.get>) {
    return this.service.get(ask);
  }

  async remove(ask: In<typeof modelAliases.remove>) {
    await this.service.remove(ask);
    return {};
  }
}
