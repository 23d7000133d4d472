import type { In, runs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { WorkspaceStorage } from '../deletion/workspace-storage.service.js';
import { RunCreation } from './run-creation.service.js';
import { RunCourse } from './run-lifecycle.js';

/** Creates runs and sets them going, where the workspace has room for their evidence. */
@Injectable()
export class RunStarts {
  constructor(
    private readonly creation: RunCreation,
    private readonly storage: WorkspaceStorage,
    private readonly course: RunCourse,
  ) {}

  /** The id of the run: of the one that was made for the request before, if there is one. */
  async start(ask: In<typeof runs.create>): Promise<string> {
    const isNew = (await this.creation.made(ask)) === undefined;
    if (isNew) await this.storage.checkQuota(ask.workspace_id);
    const id = await this.creation.create(ask);
    await this.course.launch(id);
    return id;
  }
}
