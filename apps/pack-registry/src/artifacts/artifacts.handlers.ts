import { Handles, type Serves } from '@agentclash/bus';
import { artifacts, type In } from '@agentclash/contracts';
import { ArtifactRemoval } from './artifact-removal.service.js';
import { ArtifactsService } from './artifacts.service.js';

@Handles(artifacts)
export class ArtifactsHandlers implements Serves<typeof artifacts> {
  constructor(
    private readonly service: ArtifactsService,
    private readonly removal: ArtifactRemoval,
  ) {}

  register(ask: In<typeof artifacts.register>) {
    return this.service.register(ask);
  }

  list(ask: In<typeof artifacts.list>) {
    return this.service.list(ask);
  }

  async getMany(ask: In<typeof artifacts.getMany>) {
    return { items: await this.service.getMany(ask) };
  }

  async remove(ask: In<typeof artifacts.remove>) {
    await this.removal.remove(ask);
    return {};
  }
}
