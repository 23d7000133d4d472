import { Handles, type Serves } from '@agentclash/bus';
import { artifacts, type In } from '@agentclash/contracts';
import { ArtifactRemoval } from './artifact-removal.service.js';
import { ArtifactSweep } from './artifact-sweep.service.js';
import { ArtifactsService } from './artifacts.service.js';
import { UnusedBytes } from './unused-bytes.js';

@Handles(artifacts)
export class ArtifactsHandlers implements Serves<typeof artifacts> {
  constructor(
    private readonly service: ArtifactsService,
    private readonly removal: ArtifactRemoval,
    private readonly unused: UnusedBytes,
    private readonly sweeps: ArtifactSweep,
  ) {}

  register(request: In<typeof artifacts.register>) {
    return this.service.register(request);
  }

  list(request: In<typeof artifacts.list>) {
    return this.service.list(request);
  }

  async getMany(request: In<typeof artifacts.getMany>) {
    return { items: await this.service.getMany(request) };
  }

  async remove(request: In<typeof artifacts.remove>) {
    await this.removal.remove(request);
    return {};
  }

  async discard({ sha256s }: In<typeof artifacts.discard>) {
    for (const sha256 of new Set(sha256s)) await this.unused.remove(sha256);
    return {};
  }

  sweep(request: In<typeof artifacts.sweep>) {
    return this.sweeps.step(request);
  }
}
