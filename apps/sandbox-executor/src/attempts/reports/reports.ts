import { createHash } from 'node:crypto';
import { Bus } from '@agentclash/bus';
import {
  type AttemptResult,
  ContractError,
  type DeliveryEvents,
  executionEvents,
  type HistoryEvent,
  leases,
} from '@agentclash/contracts';
import { Batcher, isUnavailable } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import type { Holding } from '../leases/leases.loop.js';

/** A message's events, but for a single delivery's that take more. */
const MESSAGE_BYTES_MAX = 524_288;
const ITEMS_MAX = 64;
const WEIGHT = { of: ({ bytes }: { bytes: number }) => bytes, max: MESSAGE_BYTES_MAX };

/** Events of one delivery, next in its history, and about how many bytes they take. */
export interface ReadyEvents {
  events: HistoryEvent[];
  bytes: number;
}

interface Emission extends DeliveryEvents {
  workspace_id: string;
  run_id: string;
  bytes: number;
}

interface End extends Holding {
  result: AttemptResult;
  events: HistoryEvent[];
  bytes: number;
}

/**
 * Batches the reports of this executor's attempts: reports that are ready at the same moment, or during the message
 * before, are one message.
 */
@Injectable()
export class Reports {
  private readonly emissions: Batcher<Emission, undefined>;
  private readonly ends: Batcher<End, boolean>;

  constructor(private readonly bus: Bus) {
    const together = { itemsMax: ITEMS_MAX, weight: WEIGHT, isSharedFailure: isUnavailable };
    this.emissions = new Batcher<Emission, undefined>((items) => this.emitAll(items), {
      ...together,
      keyOf: ({ run_id }) => run_id,
    });
    this.ends = new Batcher<End, boolean>((items) => this.finishAll(items), together);
  }

  /** Resolves when the stream has the events. A delivery's next ones must wait for that. */
  async emit(emission: Emission): Promise<void> {
    await this.emissions.add(emission);
  }

  /** Ends a delivery, with the last events of its history. Fails with `lease_lost`. */
  async finish(holding: Holding, result: AttemptResult, last: ReadyEvents): Promise<void> {
    if (await this.ends.add({ ...holding, result, ...last })) return;
    const { attempt_id, delivery } = holding;
    throw new ContractError(
      'lease_lost',
      `Delivery ${delivery} of attempt ${attempt_id} is not held any more.`,
    );
  }

  private async emitAll(items: readonly Emission[]): Promise<undefined[]> {
    const [first] = items;
    if (first === undefined) return [];
    const { workspace_id, run_id } = first;
    const deliveries = items.map(({ attempt_id, delivery, events }) => ({ attempt_id, delivery, events }));
    await this.bus.publish(executionEvents.emitted, { workspace_id, run_id, deliveries }, nameOf(deliveries));
    return items.map(() => undefined);
  }

  private async finishAll(items: readonly End[]): Promise<boolean[]> {
    const [first] = items;
    if (first === undefined) return [];
    const reply = await this.bus.call(leases.finish, {
      executor_id: first.executor_id,
      items: items.map(({ attempt_id, delivery, result, events }) => {
        return { attempt_id, delivery, result, ...(events.length > 0 && { events }) };
      }),
    });
    return reply.items.map(({ accepted }) => accepted);
  }
}

/** A message id made of the positions of the events in their histories, so that a repeated message is stored once. */
function nameOf(deliveries: readonly DeliveryEvents[]): string {
  const names = deliveries.map(
    ({ attempt_id, delivery, events }) => `${attempt_id}:${delivery}:${events[0]?.sequence_number}`,
  );
  return createHash('sha256').update(names.join()).digest('base64url');
}
