import {
  type AttemptUpdate,
  type Lane,
  type LaneAgent,
  type LiveEvent,
  Race,
  type RaceSnapshot,
  type RecordedEvent,
} from '@agentclash/api';
import { textIn } from '@agentclash/domain';
import { LaneOutput } from './lane-output.js';

const RESULTS_KEPT = 100;

/** A race with what its page shows beside the lanes' figures: each lane's last events and the newest results. */
export class ArenaRace extends Race {
  /** Newest first. */
  results: readonly AttemptUpdate[] = [];
  private readonly outputs: ReadonlyMap<Lane, LaneOutput>;

  constructor(agents: readonly LaneAgent[], snapshot?: RaceSnapshot) {
    super(agents, snapshot);
    this.outputs = new Map(this.lanes.map((lane) => [lane, new LaneOutput()]));
  }

  /** The lane that the event changed. */
  advance(event: RecordedEvent): Lane | undefined {
    const { lane, update } = this.apply(event);
    if (lane === undefined) return undefined;
    this.outputs.get(lane)?.append(event);
    if (textIn(event.payload, 'from') === 'finished') this.withdraw(event.attempt_id);
    if (update?.kind === 'scored') this.results = [update, ...this.results.slice(0, RESULTS_KEPT - 1)];
    return lane;
  }

  /** Appends text that a model streams. */
  stream(event: LiveEvent): Lane | undefined {
    const lane = this.laneOf(event.run_agent_id);
    if (lane !== undefined) this.outputs.get(lane)?.stream(event);
    return lane;
  }

  outputOf(lane: Lane): LaneOutput {
    return this.outputs.get(lane) ?? new LaneOutput();
  }

  /** A retried attempt has no result. */
  private withdraw(attemptId: string | undefined): void {
    this.results = this.results.filter((result) => result.attemptId !== attemptId);
  }
}
