import { ContractError, type In, type RetriedRun, type Run, type runs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { RunEdits } from './commands/run-edits.js';
import { RunLifecycle, RunPauses } from './commands/run-lifecycle.js';
import { RunRetries } from './commands/run-retries.js';
import { RunsService } from './runs.service.js';

/** Commands of users to a run. Each returns the run as it is afterwards. */
@Injectable()
export class RunCommands {
  constructor(
    private readonly service: RunsService,
    private readonly lifecycle: RunLifecycle,
    private readonly pauses: RunPauses,
    private readonly retries: RunRetries,
    private readonly edits: RunEdits,
  ) {}

  async edit(request: In<typeof runs.edit>): Promise<Run> {
    const { id } = await this.service.get(request);
    await this.edits.edit(id, request);
    return await this.service.get(request);
  }

  /** Idempotent. Fails with `conflict` for a run that ended otherwise. */
  async cancel(request: In<typeof runs.cancel>): Promise<Run> {
    const { id, status } = await this.service.get(request);
    if (await this.lifecycle.cancel(id, request.actor)) return await this.service.get(request);
    throw new ContractError('conflict', `The run is ${status} already: there is nothing to cancel.`);
  }

  /** Fails with `conflict` unless the run is running. */
  async pause(request: In<typeof runs.pause>): Promise<Run> {
    const { id, status } = await this.service.get(request);
    if (await this.pauses.pause(id, request.actor)) return await this.service.get(request);
    throw new ContractError('conflict', `The run is ${status}: only a running one can be paused.`);
  }

  /** Fails with `conflict` unless the run is paused. */
  async resume(request: In<typeof runs.resume>): Promise<Run> {
    const { id, status } = await this.service.get(request);
    if (await this.pauses.resume(id, request.actor)) return await this.service.get(request);
    throw new ContractError('conflict', `The run is ${status}: only a paused one can be resumed.`);
  }

  /** Fails with `conflict` when there is nothing to retry, else as `RunRetries.retry` does. */
  async retry(input: In<typeof runs.retry>): Promise<RetriedRun> {
    const { actor, request } = input;
    const { id } = await this.service.get(input);
    const { only } = request;
    const retried = await this.retries.retry({ runId: id, only, actor });
    if (retried > 0) return { ...(await this.service.get(input)), retried };
    throw new ContractError('conflict', NOTHING_TO_RETRY[only === 'infra' ? 'infra' : 'failed']);
  }
}

const NOTHING_TO_RETRY = {
  infra: 'No attempt ended by a failure of the platform or of a provider: there is nothing to retry.',
  failed: 'No attempt of the run has failed: there is nothing to retry.',
};
