import { Bus } from '@agentclash/bus';
import { attempts } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { Replay } from './replay.js';
import { ReplayCache } from './replay-cache.js';

const PAGE_EVENTS = 1_000;
const CACHE_BYTES_MAX = 33_554_432;

export interface ReplayAsk {
  workspace_id: string;
  attempt_id: string;
  /** Default: the last one. */
  delivery?: number | undefined;
}

/** Folds deliveries into replays. Keeps them for a while, so that a further page costs only the events that are new. */
@Injectable()
export class ReplaysService {
  private readonly cache = new ReplayCache(CACHE_BYTES_MAX);

  constructor(private readonly bus: Bus) {}

  /** With all events that there are. Whether the workspace has the attempt, its owner tells each time. */
  async read({ workspace_id, attempt_id, delivery }: ReplayAsk): Promise<Replay> {
    let replay = this.cache.find(attempt_id, delivery);
    let ofDelivery = delivery;
    for (;;) {
      const page = await this.bus.call(attempts.events, {
        workspace_id,
        attempt_id,
        after: replay?.lastNumber ?? 0,
        limit: PAGE_EVENTS,
        ...(ofDelivery !== undefined && { delivery: ofDelivery }),
      });
      ofDelivery = page.delivery;
      if (replay !== undefined && replay.delivery !== ofDelivery) {
        // Another delivery has begun: its events are numbered from 1 again.
        replay = undefined;
        continue;
      }
      replay ??= new Replay(ofDelivery);
      for (const event of page.items) replay.take(event);
      if (!page.has_more || page.items.length === 0) break;
    }
    this.cache.keep(attempt_id, replay);
    return replay;
  }
}
