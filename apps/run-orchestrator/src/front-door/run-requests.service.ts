import { Bus } from '@agentclash/bus';
import { ContractError, type Envelope, type In, type RunOrder, runEvents, Uuid } from '@agentclash/contracts';
import { LOGGER, type Logger, newId } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { RunsService } from '../runs/runs.service.js';
import { factMessageId, type TellableFact } from '../runs/state/fact.js';
import { OrderNames } from './request-names.source.js';
import { OrderedRunsStore } from './requested-runs.store.js';
import { isFinal, readOrder, rejectionOf, requestIdOf } from './run-request.js';

/** Makes the runs that internal services ask for, and answers each request on the bus. */
@Injectable()
export class OrdersService {
  constructor(
    private readonly runs: RunsService,
    private readonly names: OrderNames,
    private readonly store: OrderedRunsStore,
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * One run per request, and `requested` for every delivery of it; `rejected` when there can be no run, or none was to be
   * had by the last delivery. Fails while trying again may help.
   */
  async take(parcel: Envelope): Promise<void> {
    if (!Uuid.safeParse(parcel.workspace_id).success) {
      throw new ContractError('invalid_input', 'The last token of the subject is no workspace.');
    }
    try {
      await this.make(readOrder(parcel));
    } catch (error) {
      if (!isFinal(error) && !parcel.is_last_delivery) throw error;
      await this.reject(parcel, error);
    }
  }

  private async make(order: RunOrder): Promise<void> {
    const { workspace_id, request_id, requested_by: actor } = order;
    // What the names stood for may have changed since: a run that exists is the answer.
    const known = await this.store.findRequested(workspace_id, request_id);
    const fact = known ?? (await this.create(order, actor));
    if (fact === undefined) throw new ContractError('unavailable', 'The run is not under way yet.');
    await this.bus.publish(runEvents.requested, fact as In<typeof runEvents.requested>, factMessageId(fact));
  }

  private async create(order: RunOrder, actor: string): Promise<TellableFact | undefined> {
    const { workspace_id, request_id } = order;
    const request = await this.names.requestOf(order);
    await this.runs.create({ workspace_id, request, actor, request_id });
    return await this.store.findRequested(workspace_id, request_id);
  }

  private async reject(parcel: Envelope, error: unknown): Promise<void> {
    const { workspace_id, sequence } = parcel;
    const request_id = requestIdOf(parcel);
    const problem = rejectionOf(error);
    this.logger.warn(
      { workspace_id, request_id, problem, ...(problem.code === 'internal' && { err: error }) },
      'request rejected',
    );
    const fact: In<typeof runEvents.rejected> = {
      workspace_id,
      event_id: newId(),
      schema_version: '1',
      sequence_number: 1,
      event_type: 'run.rejected',
      source: 'orchestrator',
      occurred_at: new Date().toISOString(),
      payload: { request_id, problem },
      summary: {},
    };
    await this.bus.publish(runEvents.rejected, fact, `rejected:${sequence}`);
  }
}
