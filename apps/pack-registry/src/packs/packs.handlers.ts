import { Handles, type Serves } from '@agentclash/bus';
import { type In, packs } from '@agentclash/contracts';
import { PacksService } from './packs.service.js';

@Handles(packs)
export class PacksHandlers implements Serves<typeof packs> {
  constructor(private readonly service: PacksService) {}

  validate(ask: In<typeof packs.validate>) {
    return this.service.validate(ask);
  }

  publish(ask: In<typeof packs.publish>) {
    return this.service.publish(ask);
  }

  list(ask: In<typeof packs.list>) {
    return this.service.list(ask);
  }

  get(ask: In<typeof packs.get>) {
    return this.service.get(ask.workspace_id, ask.pack);
  }

  getVersion(ask: In<typeof packs.getVersion>) {
    return this.service.getVersion(ask.workspace_id, ask.version_id);
  }

  manifest(ask: In<typeof packs.manifest>) {
    return this.service.manifest(ask.workspace_id, ask.version_id);
  }

  bundle(ask: In<typeof packs.bundle>) {
    return this.service.bundle(ask.workspace_id, ask.version_id);
  }

  setLifecycle(ask: In<typeof packs.setLifecycle>) {
    return this.service.setLifecycle(ask);
  }

  async inputSets(ask: In<typeof packs.inputSets>) {
    return { items: await this.service.inputSets(ask.workspace_id, ask.version_id) };
  }

  cases(ask: In<typeof packs.cases>) {
    return this.service.cases(ask);
  }
}
