import { Listener, Subscribes } from '@agentclash/bus';
import { executionEvents, type In, type LiveEvent } from '@agentclash/contracts';

/** Deltas buffered for a slow reader; beyond this the oldest are dropped. */
const DELTAS_MAX = 256;

/** Notifies waiting streams of this instance that events of their run were recorded. */
export class WakeUps {
  private readonly waiting = new Map<string, Set<WakeUp>>();

  follow(runId: string): WakeUp {
    const all = this.waiting.get(runId) ?? new Set();
    this.waiting.set(runId, all);
    const wakeUp = new WakeUp(() => {
      all.delete(wakeUp);
      if (all.size === 0 && this.waiting.get(runId) === all) this.waiting.delete(runId);
    });
    all.add(wakeUp);
    return wakeUp;
  }

  /** Events of the run up to `position` are recorded. */
  recorded(runId: string, position: number): void {
    for (const wakeUp of this.waiting.get(runId) ?? []) wakeUp.recorded(position);
  }
}

/** The notifications of one stream; those that arrive while it does not wait are kept. */
export class WakeUp {
  private position = 0;
  private deltas: LiveEvent[] = [];
  private wake: (() => void) | undefined;

  constructor(readonly close: () => void) {}

  recorded(position: number): void {
    this.position = Math.max(this.position, position);
    this.wake?.();
  }

  /** Buffers a live delta for `takeDeltas`. */
  readonly receive = (event: LiveEvent): void => {
    this.deltas.push(event);
    if (this.deltas.length > DELTAS_MAX) this.deltas.shift();
    this.wake?.();
  };

  /** The deltas since the last call. */
  takeDeltas(): LiveEvent[] {
    const { deltas } = this;
    this.deltas = [];
    return deltas;
  }

  /**
   * Resolves when events beyond `position` are recorded, when a delta arrives, after `ms`, or when aborted; with
   * whether there are such events.
   */
  async beyond(position: number, ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.position > position) return true;
    if (signal.aborted || this.deltas.length > 0) return false;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      this.wake = done;
    });
    return this.position > position;
  }
}

/** Every gateway receives the notifications of recorded events, since each may have streams that wait for them. */
@Listener()
export class EventsListener {
  constructor(private readonly wakeUps: WakeUps) {}

  @Subscribes(executionEvents.recorded, 'each')
  recorded({ run_id, position }: In<typeof executionEvents.recorded>): void {
    this.wakeUps.recorded(run_id, position);
  }
}
