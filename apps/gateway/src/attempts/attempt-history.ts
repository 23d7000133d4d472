import type { Readable } from 'node:stream';
import type { ReplayStep } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { attempts, ContractError, type HistoryEvent } from '@agentclash/contracts';
import { referencedSha256 } from '@agentclash/domain';
import { Blobs, decodeCursor, encodeCursor } from '@agentclash/service-kit';
import { Injectable } from '@nestjs/common';
import { ReplaysService } from './replays.service.js';

export interface HistoryQuery {
  workspace_id: string;
  attempt_id: string;
  /** Default: the last one. A cursor belongs to the delivery that it began with. */
  delivery?: number | undefined;
  limit: number;
  cursor?: string | undefined;
}

export interface EventAddress {
  workspace_id: string;
  attempt_id: string;
  /** Default: the last one. */
  delivery?: number | undefined;
  sequence_number: number;
}

export interface HistoryPage<Item> {
  items: Item[];
  next_cursor: string | null;
  delivery: number;
}

/** The history of one delivery of an attempt: as events, or folded into steps. */
@Injectable()
export class AttemptHistory {
  constructor(
    private readonly bus: Bus,
    private readonly replays: ReplaysService,
    private readonly blobs: Blobs,
  ) {}

  async events({
    event_type: eventType,
    ...query
  }: HistoryQuery & { event_type?: string | undefined }): Promise<HistoryPage<HistoryEvent>> {
    const { workspace_id, attempt_id, limit } = query;
    const { delivery: requestedDelivery, after } = positionOf(query);
    const page = await this.bus.call(attempts.events, {
      workspace_id,
      attempt_id,
      after,
      limit,
      ...(requestedDelivery !== undefined && { delivery: requestedDelivery }),
      ...(eventType !== undefined && { event_types: [eventType] }),
    });
    const { items, delivery, has_more } = page;
    const last = items.at(-1)?.sequence_number;
    return { items, delivery, next_cursor: has_more && last !== undefined ? cursorOf(delivery, last) : null };
  }

  /** The cursor holds a number of steps. */
  async replay({
    text_max: textMax,
    ...query
  }: HistoryQuery & { text_max?: number | undefined }): Promise<HistoryPage<ReplayStep>> {
    const { delivery: requestedDelivery, after } = positionOf(query);
    const { steps, delivery, hasMore } = await this.replays.page({
      ...query,
      ...{ textMax, after },
      delivery: requestedDelivery,
    });
    return { items: steps, delivery, next_cursor: hasMore ? cursorOf(delivery, after + steps.length) : null };
  }

  /** The payload of one event as JSON. Fails with `not_found`. */
  async payload({ sequence_number, ...query }: EventAddress): Promise<Readable | Buffer> {
    const { items } = await this.bus.call(attempts.events, {
      ...query,
      after: sequence_number - 1,
      limit: 1,
    });
    const [event] = items;
    if (event?.sequence_number !== sequence_number)
      throw new ContractError('not_found', `The attempt has no event ${sequence_number}.`);
    const sha256 = referencedSha256(event.payload);
    // The history returns a payload whole unless no reply could carry it.
    return sha256 === undefined
      ? Buffer.from(JSON.stringify(event.payload))
      : await this.blobs.evidence.open(sha256);
  }
}

function cursorOf(delivery: number, after: number): string {
  return encodeCursor(`${delivery}/${after}`);
}

/** Fails with `invalid_input`. */
function positionOf({ delivery, cursor }: HistoryQuery): { delivery: number | undefined; after: number } {
  const sortKey = decodeCursor(cursor);
  if (sortKey === undefined) return { delivery, after: 0 };
  const [, ofDelivery, after] = /^(\d{1,9})\/(\d{1,9})$/.exec(sortKey) ?? [];
  const isSame = delivery === undefined || delivery === Number(ofDelivery);
  if (ofDelivery !== undefined && isSame) return { delivery: Number(ofDelivery), after: Number(after) };
  throw new ContractError('invalid_input', 'The cursor is not one of this list. Start again without it.', {
    errors: [{ code: 'malformed', field: 'cursor', message: 'not a cursor of this list' }],
  });
}
