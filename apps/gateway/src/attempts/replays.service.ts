import { cutStep, endedBy, LONG_STEP_TYPES, Replay, type ReplayStep } from '@agentclash/api';
import { Bus } from '@agentclash/bus';
import { attempts } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

const CACHE_BYTES_MAX = 33_554_432;
/** A replay beyond this keeps no payloads of steps before the page that was read last: pages are read in order. */
const REPLAY_BYTES_MAX = 4_194_304;
/** Characters of one page as JSON, unless a single step has more. */
const PAGE_BYTES_MAX = 4_194_304;
const PAGE_EVENTS_MAX = 1_000;
/** Most steps have a start and an end; a few more events close those that are open at the end of a page. */
const EVENTS_PER_STEP = 2;
const EVENTS_BEYOND = 20;

export interface ReplayQuery {
  workspace_id: string;
  attempt_id: string;
  /** Default: the last one. */
  delivery?: number | undefined;
  /** The number of steps before the page. */
  after: number;
  limit: number;
  /** Characters of a text; default: all. */
  textMax?: number | undefined;
}

export interface StepsPage {
  delivery: number;
  steps: ReplayStep[];
  /** True when further steps have begun. */
  hasMore: boolean;
}

interface ReadReplay {
  replay: Replay;
  /** True when it holds all events that exist. */
  isWhole: boolean;
}

/**
 * Folds deliveries into replays, no further than requested. Recent replays are cached, so that a further page only
 * reads the new events.
 */
@Injectable()
export class ReplaysService {
  private readonly cache = new ReplayCache(CACHE_BYTES_MAX);

  constructor(private readonly bus: Bus) {}

  /**
   * A page of steps, up to date with all events. The orchestrator checks each time that the workspace has the attempt.
   */
  async page(query: ReplayQuery): Promise<StepsPage> {
    let reading = await this.read(query);
    // A reader of a later page may have dropped what this page needs.
    while (reading.replay.dropped > query.after) reading = await this.read(query);
    const { replay } = reading;
    const end = query.after + query.limit;
    const steps: ReplayStep[] = [];
    let bytes = 0;
    for (const begun of replay.steps.slice(query.after, end)) {
      const whole = await this.asItEnds(begun, query, reading);
      const step =
        query.textMax === undefined ? whole : cutStep(whole, query.textMax, replay.sent.get(whole.number));
      bytes += JSON.stringify(step).length;
      if (bytes > PAGE_BYTES_MAX && steps.length > 0) break;
      steps.push(step);
    }
    const hasMore = replay.steps.length > query.after + steps.length;
    return { delivery: replay.delivery, steps, hasMore };
  }

  /** The end of a step that lasts beyond the events read is queried separately. */
  private async asItEnds(
    step: ReplayStep,
    { workspace_id, attempt_id }: ReplayQuery,
    { replay, isWhole }: ReadReplay,
  ): Promise<ReplayStep> {
    if (isWhole || !replay.mayEnd(step)) return step;
    const { items } = await this.bus.call(attempts.events, {
      workspace_id,
      attempt_id,
      delivery: replay.delivery,
      event_types: [...LONG_STEP_TYPES],
      after: replay.lastNumber,
      limit: 1,
    });
    const [next] = items;
    return next === undefined ? step : endedBy(step, next);
  }

  /** Reads until the requested steps are settled, or all events have been read. */
  private async read({ workspace_id, attempt_id, delivery, after, limit }: ReplayQuery): Promise<ReadReplay> {
    const end = after + limit;
    const cached = this.cache.find(attempt_id, delivery);
    let replay = cached !== undefined && cached.dropped <= after ? cached : undefined;
    let ofDelivery = delivery;
    let isWhole = false;
    try {
      do {
        const missing = (end + 1 - (replay?.steps.length ?? 0)) * EVENTS_PER_STEP;
        const page = await this.bus.call(attempts.events, {
          workspace_id,
          attempt_id,
          after: replay?.lastNumber ?? 0,
          limit: Math.min(Math.max(missing, 0) + EVENTS_BEYOND, PAGE_EVENTS_MAX),
          ...(ofDelivery !== undefined && { delivery: ofDelivery }),
        });
        ofDelivery = page.delivery;
        if (replay !== undefined && replay.delivery !== ofDelivery) {
          // Another delivery has begun: its events are numbered from 1 again.
          replay = undefined;
          continue;
        }
        replay ??= new Replay(ofDelivery);
        for (const event of page.items) replay.apply(event);
        isWhole = !page.has_more || page.items.length === 0;
      } while (!isWhole && !replay?.isSettled(after, end));
    } finally {
      // Also after a failure: the replay may have grown.
      if (replay !== undefined) {
        if (replay.bytes > REPLAY_BYTES_MAX) replay.drop(after);
        this.cache.set(attempt_id, replay);
      }
    }
    return { replay: replay ?? new Replay(ofDelivery), isWhole };
  }
}

/** Recently read replays, one per attempt, bounded by their size in memory. */
export class ReplayCache {
  private readonly replays: LRUCache<string, Replay>;

  constructor(bytesMax: number) {
    this.replays = new LRUCache({ maxSize: bytesMax, sizeCalculation: ({ bytes }) => Math.max(1, bytes) });
  }

  /** The replay of the delivery; of any delivery when none is named. */
  find(attemptId: string, delivery: number | undefined): Replay | undefined {
    const found = this.replays.get(attemptId);
    return delivery === undefined || found?.delivery === delivery ? found : undefined;
  }

  /** Measures a replay again that has grown. One with a gap is not cached: an event that arrives late would be missed. */
  set(attemptId: string, replay: Replay): void {
    this.replays.delete(attemptId);
    if (!replay.hasGap) this.replays.set(attemptId, replay);
  }
}
