import type { In, runs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { WorkspaceStorage } from '../deletion/workspace-storage.service.js';
import { RunCreation } from './run-creation.service.js';
import { RunLifecycle } from './run-lifecycle.js';

/** Creates and launches runs, unless the workspace's evidence quota is used up. */
@Injectable()
export class RunStarts {
  constructor(
    private readonly creation: RunCreation,
    private readonly storage: WorkspaceStorage,
    private readonly lifecycle: RunLifecycle,
  ) {}

  /** The id of the run: of the one that was made for the request before, if there is one. */
  async start(request: In<typeof runs.create>): Promise<string> {
    const isNew = (await this.creation.made(request)) === undefined;
    if (isNew) await this.storage.checkQuota(request.workspace_id);
    const id = await this.creation.create(request);
    await this.lifecycle.launch(id);
    return id;
  }
}
