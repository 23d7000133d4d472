import { Listener, Subscribes } from '@agentclash/bus';
import { executionEvents, type In, type LiveEvent } from '@agentclash/contracts';

/** What is said while the reader is busy beyond this is dropped, oldest first. */
const DELTAS_MAX = 256;

/** Tells waiting streams of this instance that events of their run were stored. */
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

  /** Events of the run up to `position` are stored. */
  recorded(runId: string, position: number): void {
    for (const wakeUp of this.waiting.get(runId) ?? []) wakeUp.recorded(position);
  }
}

/** One stream's ear; it remembers what it heard while nobody waited. */
export class WakeUp {
  private position = 0;
  private deltas: LiveEvent[] = [];
  private wake: (() => void) | undefined;

  constructor(readonly close: () => void) {}

  recorded(position: number): void {
    this.position = Math.max(this.position, position);
    this.wake?.();
  }

  /** Somebody says something; it waits for `takeSaid`. */
  readonly receive = (event: LiveEvent): void => {
    this.deltas.push(event);
    if (this.deltas.length > DELTAS_MAX) this.deltas.shift();
    this.wake?.();
  };

  /** What was said since the last time. */
  takeDeltas(): LiveEvent[] {
    const { deltas } = this;
    this.deltas = [];
    return deltas;
  }

  /**
   * Resolves when events beyond `position` are stored, when something is said, after `ms`, or when aborted; with whether there
   * are any such events.
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

/** Every gateway hears of stored events, since any may hold the stream that waits for them. */
@Listener()
export class EventsListener {
  constructor(private readonly wakeUps: WakeUps) {}

  @Subscribes(executionEvents.recorded, 'each')
  recorded({ run_id, position }: In<typeof executionEvents.recorded>): void {
    this.wakeUps.recorded(run_id, position);
  }
}
