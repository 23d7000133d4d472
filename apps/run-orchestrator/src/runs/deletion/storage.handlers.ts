import { Handles, type Serves } from '@agentclash/bus';
import { type In, storage } from '@agentclash/contracts';
import { EvidenceSweep } from './evidence-sweep.service.js';
import { WorkspaceStorage } from './workspace-storage.service.js';

@Handles(storage)
export class StorageHandlers implements Serves<typeof storage> {
  constructor(
    private readonly service: WorkspaceStorage,
    private readonly sweeps: EvidenceSweep,
  ) {}

  usage(request: In<typeof storage.usage>) {
    return this.service.usage(request);
  }

  configure(request: In<typeof storage.configure>) {
    return this.service.configure(request);
  }

  sweep(request: In<typeof storage.sweep>) {
    return this.sweeps.step(request);
  }
}
