import { Bus } from '@agentclash/bus';
import { type Out, runs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { textOf } from './event-text.js';

/** Bytes of one run that are cached for streams behind the foremost one. */
const CACHE_BYTES_MAX = 4_194_304;
/** Small enough for the bus, and large enough to read history fast. */
export const PAGE_EVENTS = 500;

type EventPage = Out<typeof runs.events>;

/** Consecutive events as server-sent events. */
export interface TailPage {
  /** Position before its first event. */
  after: number;
  /** Position of its last event; `after` when there is none. */
  last: number;
  isEnd: boolean;
  text: Buffer;
}

/**
 * The newest events of one run, read and serialized once for all streams that follow it: streams at the end share
 * one read, those slightly behind read the cache, and those further behind read separately.
 */
export class RunTail {
  private readonly pages: TailPage[] = [];
  private readonly reading = new Map<string, Promise<TailPage>>();

  /** `read` returns up to `limit` events after a position. */
  constructor(private readonly read: (after: number, limit: number) => Promise<EventPage>) {}

  /** The events after a position; none when there are no more yet. Fails as `read` does. */
  async beyond(position: number): Promise<TailPage> {
    const cached = this.pages.find(({ after, last }) => after <= position && position < last);
    if (cached?.after === position) return cached;
    // Up to the end of the cached page: from there on the stream shares the reads of the others.
    return await this.readOnce(position, cached === undefined ? PAGE_EVENTS : cached.last - position);
  }

  private async readOnce(after: number, limit: number): Promise<TailPage> {
    const key = `${after}+${limit}`;
    const pending = this.reading.get(key);
    if (pending !== undefined) return await pending;
    const page = this.read(after, limit).then((events) => pageOf(events, after));
    this.reading.set(key, page);
    try {
      const read = await page;
      this.cache(read);
      return read;
    } finally {
      this.reading.delete(key);
    }
  }

  /** Only a page that continues the tail, or lies beyond it, is cached. */
  private cache(page: TailPage): void {
    const end = this.pages.at(-1)?.last ?? page.after;
    if (page.last === page.after || page.after < end) return;
    if (page.after > end) this.pages.length = 0;
    this.pages.push(page);
    let bytes = this.pages.reduce((sum, { text }) => sum + text.length, 0);
    while (bytes > CACHE_BYTES_MAX && this.pages.length > 1) bytes -= this.pages.shift()?.text.length ?? 0;
  }
}

/** Events read after a position, as streams send them. */
export function pageOf({ items, is_end: isEnd }: EventPage, after: number): TailPage {
  return { after, last: items.at(-1)?.position ?? after, isEnd, text: Buffer.from(textOf(items)) };
}

/** A run of a workspace. */
export interface RunKey {
  workspace_id: string;
  run_id: string;
}

interface Followed {
  tail: RunTail;
  followers: number;
}

/** The tails of the runs that streams of this instance follow, each as long as it has followers. */
@Injectable()
export class RunTails {
  private readonly followed = new Map<string, Followed>();

  constructor(private readonly bus: Bus) {}

  /** `leave` is called once, when the stream ends. */
  follow({ workspace_id, run_id }: RunKey): { tail: RunTail; leave: () => void } {
    const key = `${workspace_id}/${run_id}`;
    const followed = this.followed.get(key) ?? { tail: this.tailOf({ workspace_id, run_id }), followers: 0 };
    followed.followers += 1;
    this.followed.set(key, followed);
    const leave = () => {
      followed.followers -= 1;
      if (followed.followers === 0) this.followed.delete(key);
    };
    return { tail: followed.tail, leave };
  }

  private tailOf(run: RunKey): RunTail {
    return new RunTail((after, limit) => this.bus.call(runs.events, { ...run, after, limit }));
  }
}
