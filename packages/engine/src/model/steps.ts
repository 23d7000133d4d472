import type { Clock } from '../clock.js';
import type { AttemptEvents } from '../events/attempt-events.js';

/** One step of an agent under way: a model's reply with its calls, or an entry of a script. */
export interface Step {
  /** From 0, without a gap within one delivery. */
  readonly index: number;
  toolCalls: number;
}

/** Numbers an agent's steps and records each. */
export class Steps {
  constructor(
    private readonly options: { events: AttemptEvents; clock: Pick<Clock, 'monotonic'> },
    /** Steps begun so far. */
    public count = 0,
  ) {}

  async run<T>(work: (step: Step) => Promise<T>): Promise<T> {
    const { events, clock } = this.options;
    const step: Step = { index: this.count, toolCalls: 0 };
    this.count += 1;
    const extras = { summary: { step_index: step.index } };
    const startedAt = clock.monotonic();
    events.record('system.step.started', { step_index: step.index }, extras);
    const result = await work(step);
    const completed = {
      step_index: step.index,
      tool_call_count: step.toolCalls,
      duration_ms: Math.round(clock.monotonic() - startedAt),
    };
    events.record('system.step.completed', completed, extras);
    return result;
  }
}
