import { Bus } from '@agentclash/bus';
import { ContractError, runNumberOf, runs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';

/** Runs that a request's path names by their number in the workspace, as lists and the CLI show it. */
@Injectable()
export class RunNumbers {
  constructor(private readonly bus: Bus) {}

  /** Replaces a number by the id of its run. Fails with `not_found`. */
  async resolve({ params, workspace }: Pick<FastifyRequest, 'params' | 'workspace'>): Promise<void> {
    const path = params as { run_id?: string };
    const number = runNumberOf(path.run_id ?? '');
    if (number === undefined || workspace === undefined) return;
    const found = await this.bus.call(runs.findIds, { workspace_id: workspace.id, part: `#${number}` });
    const [id] = found.runs;
    if (id === undefined) throw new ContractError('not_found', `There is no run ${number}.`);
    path.run_id = id;
  }
}
