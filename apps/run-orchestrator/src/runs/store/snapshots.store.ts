import type { StopWhen } from '@agentclash/contracts';
import type { AgentSnapshot, PackModels, RunPins } from '@agentclash/run-rules';
import { ValueCache } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { Database } from '../../database.js';
import { callLimitsOf } from '../state/call-budget.js';

/** A snapshot may hold a megabyte of scripts. */
const SNAPSHOTS_MAX = 32;

/** The pinned resources of runs, which never change. */
@Injectable()
export class SnapshotsStore {
  private readonly snapshots = new ValueCache<AgentSnapshot>(SNAPSHOTS_MAX);
  private readonly pins = new ValueCache<RunPins>(SNAPSHOTS_MAX);

  constructor(private readonly db: Database) {}

  async agent(runAgentId: string): Promise<AgentSnapshot> {
    return await this.snapshots.get(runAgentId, async () => {
      const where = { id: runAgentId };
      const { snapshot } = await this.db.runAgent.findUniqueOrThrow({ where, select: { snapshot: true } });
      // Written by this service from validated deployments, up to a megabyte: not parsed again for each claim.
      return snapshot as object as AgentSnapshot;
    });
  }

  async run(runId: string): Promise<RunPins> {
    return await this.pins.get(runId, async () => {
      const select = { packModels: true, raceStepGap: true, modelCalls: true, stopWhen: true };
      const { packModels, raceStepGap, modelCalls, stopWhen } = await this.db.run.findUniqueOrThrow({
        where: { id: runId },
        select,
      });
      // Written by this service when the run was created.
      return {
        packModels: packModels as object as PackModels,
        raceStepGap,
        modelCalls: modelCalls as RunPins['modelCalls'],
        hasCallBudget: callLimitsOf(stopWhen as StopWhen | null) !== undefined,
      };
    });
  }
}
