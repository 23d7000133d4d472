import { Bus } from '@agentclash/bus';
import { ContractError, executionLive, type Out, type RecordedEvent, runs } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { textOf } from './event-text.js';
import { PAGE_EVENTS, pageOf, type RunKey, type RunTail, RunTails, type TailPage } from './run-tail.js';
import { type WakeUp, WakeUps } from './wake-ups.js';

/** After this silence a stream sends a comment, and reads events whose wake-up was lost. */
const HEARTBEAT_MS = 15_000;

export interface RunPosition extends RunKey {
  /** Position of the last event already seen. */
  after: number;
}

/** The duration of a stream, and whether it carries the live deltas of models. */
export interface LiveOptions {
  signal: AbortSignal;
  deltas: boolean;
}

type EventPage = Out<typeof runs.events>;

/** Reads the events of runs: the recorded ones, then those that follow live. */
@Injectable()
export class RunEvents {
  constructor(
    private readonly bus: Bus,
    private readonly wakeUps: WakeUps,
    private readonly tails: RunTails,
  ) {}

  /** One page. Fails with `not_found`. */
  async read(from: RunPosition): Promise<EventPage> {
    return await this.bus.call(runs.events, { ...from, limit: PAGE_EVENTS });
  }

  /** The events recorded after `first`, page by page. */
  async *recorded(from: RunPosition, first: EventPage): AsyncGenerator<RecordedEvent[], void, undefined> {
    let page = first;
    while (page.items.length > 0) {
      yield page.items;
      if (page.is_end) return;
      page = await this.read({ ...from, after: page.items.at(-1)?.position ?? from.after });
    }
  }

  /**
   * The events after `first`, recorded and then live, as server-sent events, until the run has ended; an empty text
   * is a sign of life.
   */
  async *live(
    from: RunPosition,
    first: EventPage,
    { signal, deltas }: LiveOptions,
  ): AsyncGenerator<string | Buffer, void, undefined> {
    const wakeUp = this.wakeUps.follow(from.run_id);
    const { tail, leave } = this.tails.follow(from);
    const unsubscribe = deltas
      ? this.bus.listen(executionLive.output, from.run_id, wakeUp.receive)
      : () => {};
    try {
      // Events recorded between an empty page and the subscription sent no wake-up: read again.
      const isCurrent = first.items.length > 0 || first.is_end;
      let page = isCurrent ? pageOf(first, from.after) : await readUnlessUnavailable(tail, from.after);
      while (!signal.aborted) {
        if (page.text.length > 0) yield page.text;
        if (page.isEnd) return;
        if (page.text.length === 0) yield* idle(wakeUp, page.last, signal);
        page = await readUnlessUnavailable(tail, page.last);
      }
    } finally {
      unsubscribe();
      leave();
      wakeUp.close();
    }
  }
}

/** While the orchestrator is unavailable a stream stays open; its next read returns what it missed. */
async function readUnlessUnavailable(tail: RunTail, after: number): Promise<TailPage> {
  try {
    return await tail.beyond(after);
  } catch (error) {
    if (error instanceof ContractError && error.code === 'unavailable')
      return pageOf({ items: [], is_end: false }, after);
    throw error;
  }
}

/** Live deltas until events are recorded; an empty text, as a sign of life, when it is time to read again. */
async function* idle(
  wakeUp: WakeUp,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const until = Date.now() + HEARTBEAT_MS;
  while (!(await wakeUp.beyond(after, until - Date.now(), signal))) {
    const deltas = wakeUp.takeDeltas();
    yield textOf(deltas);
    if (deltas.length === 0 || Date.now() >= until) return;
  }
}
