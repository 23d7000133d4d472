import { Handles, type Serves } from '@agentclash/bus';
import { type In, packs } from '@agentclash/contracts';
import { PacksService } from './packs.service.js';

@Handles(packs)
export class PacksHandlers implements Serves<typeof packs> {
  constructor(private readonly service: PacksService) {}

  validate(request: In<typeof packs.validate>) {
    return this.service.validate(request);
  }

  publish(request: In<typeof packs.publish>) {
    return this.service.publish(request);
  }

  list(request: In<typeof packs.list>) {
    return this.service.list(request);
  }

  get(request: In<typeof packs.get>) {
    return this.service.get(request.workspace_id, request.pack);
  }

  getVersion(request: In<typeof packs.getVersion>) {
    return this.service.getVersion(request.workspace_id, request.version_id);
  }

  manifest(request: In<typeof packs.manifest>) {
    return this.service.manifest(request.workspace_id, request.version_id);
  }

  bundle(request: In<typeof packs.bundle>) {
    return this.service.bundle(request.workspace_id, request.version_id);
  }

  setLifecycle(request: In<typeof packs.setLifecycle>) {
    return this.service.setLifecycle(request);
  }

  async inputSets(request: In<typeof packs.inputSets>) {
    return { items: await this.service.inputSets(request.workspace_id, request.version_id) };
  }

  cases(request: In<typeof packs.cases>) {
    return this.service.cases(request);
  }
}
