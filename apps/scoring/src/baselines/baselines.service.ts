import { type Baseline, type baselines, ContractError, type In, type Out } from '@agentclash/contracts';
import { decodeCursor, pageOf } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { namedAgent, RunsSource } from '../comparisons/compared-run.js';
import { BaselinesStore } from './baselines.store.js';

@Injectable()
export class BaselinesService {
  constructor(
    private readonly store: BaselinesStore,
    private readonly runs: RunsSource,
  ) {}

  async set({ workspace_id, name, spec, actor }: In<typeof baselines.set>): Promise<Baseline> {
    const side = await this.runs.get(workspace_id, spec.run_id);
    if (side.run.finished_at === null) {
      throw new ContractError('conflict', `The run ${spec.run_id} is not over: wait for its ranking.`);
    }
    const agent = spec.agent === undefined ? undefined : namedAgent(side, spec.agent);
    return await this.store.set({
      workspaceId: workspace_id,
      name,
      runId: spec.run_id,
      runAgentId: agent?.id ?? null,
      agentName: agent?.name ?? null,
      updatedBy: actor,
    });
  }

  async get({ workspace_id, name }: In<typeof baselines.get>): Promise<Baseline> {
    return (await this.store.find(workspace_id, name)) ?? unknownBaseline(name);
  }

  async list({
    workspace_id,
    limit,
    cursor,
  }: In<typeof baselines.list>): Promise<Out<typeof baselines.list>> {
    const rows = await this.store.list(workspace_id, decodeCursor(cursor), limit + 1);
    return pageOf(rows, limit, { item: (baseline) => baseline, sortKey: ({ name }) => name });
  }

  async remove({ workspace_id, name }: In<typeof baselines.remove>): Promise<void> {
    if (!(await this.store.remove(workspace_id, name))) unknownBaseline(name);
  }
}

function unknownBaseline(name: string): never {
  throw new ContractError('not_found', `There is no baseline "${name}".`);
}
