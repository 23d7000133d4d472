import type { In, runs } from '@agentclash/contracts';
import type { OrchestratorEventPayloads } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { RunChanges } from '../changes/run-changes.service.js';
import { describeRun } from '../store/run-descriptions.store.js';

/** Changes how runs are described. */
@Injectable()
export class RunEdits {
  constructor(private readonly changes: RunChanges) {}

  /** With an entry in the run's history that names the actor. */
  async edit(
    runId: string,
    { request, actor }: Pick<In<typeof runs.edit>, 'request' | 'actor'>,
  ): Promise<void> {
    await this.changes.make(runId, async (change, tx) => {
      await describeRun(tx, runId, request);
      const payload = { by: actor, ...request };
      change.record({
        type: 'run.edited',
        payload: payload satisfies OrchestratorEventPayloads['run.edited'],
      });
    });
  }
}
