import { Bus } from '@agentclash/bus';
import {
  ContractError,
  executionLive,
  type LiveEvent,
  type Out,
  type RecordedEvent,
  runs,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { type WakeUp, WakeUps } from './wake-ups.js';

/** A page is small enough for the bus and large enough that history comes fast. */
const PAGE_EVENTS = 500;
/** Silence after which a stream shows that it lives, and looks for events whose wake-up was lost. */
const HEARTBEAT_MS = 15_000;

export interface RunPosition {
  workspace_id: string;
  run_id: string;
  /** Position of the last event already seen. */
  after: number;
}

/** How long a stream goes on, and whether it carries what models are saying. */
export interface LiveOptions {
  signal: AbortSignal;
  deltas: boolean;
}

type EventPage = Out<typeof runs.events>;

/** Reads the events of runs: what is stored, and then what comes. */
@Injectable()
export class RunEvents {
  constructor(
    private readonly bus: Bus,
    private readonly wakeUps: WakeUps,
  ) {}

  /** One page. Fails with `not_found`. */
  async read(from: RunPosition): Promise<EventPage> {
    return await this.bus.call(runs.events, { ...from, limit: PAGE_EVENTS });
  }

  /** What is stored beyond `first`, page by page. */
  async *recorded(from: RunPosition, first: EventPage): AsyncGenerator<RecordedEvent[], void, undefined> {
    let page = first;
    while (page.items.length > 0) {
      yield page.items;
      if (page.is_end) return;
      page = await this.read({ ...from, after: lastOf(page) ?? from.after });
    }
  }

  /** What is stored beyond `first` and then what comes, until the run has ended; an empty batch shows life. */
  async *live(
    from: RunPosition,
    first: EventPage,
    { signal, deltas }: LiveOptions,
  ): AsyncGenerator<(RecordedEvent | LiveEvent)[], void, undefined> {
    const wakeUp = this.wakeUps.follow(from.run_id);
    const hush = deltas ? this.bus.listen(executionLive.output, from.run_id, wakeUp.hear) : () => {};
    let { after } = from;
    try {
      // What was stored between that page and now woke nobody: look again.
      let page = first.items.length > 0 || first.is_end ? first : await this.readPatiently(from);
      while (!signal.aborted) {
        if (page.items.length > 0) yield page.items;
        if (page.is_end) return;
        after = lastOf(page) ?? after;
        if (page.items.length === 0) yield* idle(wakeUp, after, signal);
        page = await this.readPatiently({ ...from, after });
      }
    } finally {
      hush();
      wakeUp.close();
    }
  }

  /** While the orchestrator is away a stream stays open; its next look finds what it missed. */
  private async readPatiently(from: RunPosition): Promise<EventPage> {
    try {
      return await this.read(from);
    } catch (error) {
      if (error instanceof ContractError && error.code === 'unavailable') return { items: [], is_end: false };
      throw error;
    }
  }
}

/** What is said until something is stored; nothing, as a sign of life, when it is time to look again. */
async function* idle(
  wakeUp: WakeUp,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<LiveEvent[], void, undefined> {
  const until = Date.now() + HEARTBEAT_MS;
  while (!(await wakeUp.beyond(after, until - Date.now(), signal))) {
    const said = wakeUp.takeSaid();
    yield said;
    if (said.length === 0 || Date.now() >= until) return;
  }
}

function lastOf({ items }: EventPage): number | undefined {
  return items.at(-1)?.position;
}
