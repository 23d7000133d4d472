import { Handles, type Serves } from '@agentclash/bus';
import { ContractError, type In, type RetriedRun, type Run, runs } from '@agentclash/contracts';
import { RunLifecycle, RunPauses } from './commands/run-lifecycle.js';
import { RunRetries } from './commands/run-retries.js';
import { RunDeletions } from './deletion/run-deletions.service.js';
import { StorageLoop } from './deletion/storage.loop.js';
import { RunsService } from './runs.service.js';
import { AttemptReads } from './store/attempts/attempt-reads.store.js';

@Handles(runs)
export class RunsHandlers implements Serves<typeof runs> {
  constructor(
    private readonly service: RunsService,
    private readonly lifecycle: RunLifecycle,
    private readonly pauses: RunPauses,
    private readonly retries: RunRetries,
    private readonly attemptReads: AttemptReads,
    private readonly deletions: RunDeletions,
    private readonly loop: StorageLoop,
  ) {}

  create(request: In<typeof runs.create>) {
    return this.service.create(request);
  }

  list(request: In<typeof runs.list>) {
    return this.service.list(request);
  }

  findIds(request: In<typeof runs.findIds>) {
    return this.attemptReads.findIds(request);
  }

  get(request: In<typeof runs.get>) {
    return this.service.get(request);
  }

  agent(request: In<typeof runs.agent>) {
    return this.service.agent(request);
  }

  agents(request: In<typeof runs.agents>) {
    return this.service.agents(request);
  }

  attempts(request: In<typeof runs.attempts>) {
    return this.service.attempts(request);
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

  async remove(request: In<typeof runs.remove>) {
    await this.deletions.remove(request);
    this.loop.wake();
    return {};
  }

  events(request: In<typeof runs.events>) {
    return this.service.events(request);
  }
}

const NOTHING_TO_RETRY = {
  infra: 'No attempt ended by a failure of the platform or of a provider: there is nothing to retry.',
  failed: 'No attempt of the run has failed: there is nothing to retry.',
};
