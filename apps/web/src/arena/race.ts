import type { LiveEvent, RecordedEvent } from '@agentclash/api';
import { textIn } from '@agentclash/domain';
import { type Landing, Lane, type LaneAgent, type Midway } from './lane.js';

const LANDINGS_KEPT = 100;

/** A race as its events tell it: no clock, no screen, and memory that does not grow with its length. */
export class Race {
  readonly lanes: readonly Lane[];
  /** Newest first. */
  landings: readonly Landing[] = [];
  /** Position of the last event taken in. */
  position: number;
  status: string | null = null;
  private readonly lanesById: ReadonlyMap<string, Lane>;
  /** Lanes of attempts under way, for events that name the attempt alone. */
  private readonly lanesByAttempt = new Map<string, Lane>();

  /** From its beginning, or midway. */
  constructor(agents: readonly LaneAgent[], midway?: Midway) {
    this.lanes = agents.map((agent, index) => new Lane(agent, index, midway));
    this.position = midway?.position ?? 0;
    this.lanesById = new Map(this.lanes.map((lane) => [lane.id, lane]));
  }

  /** Takes in one event, each once: a position that is not beyond the last is a repetition. The lane it was about. */
  advance(event: RecordedEvent): Lane | undefined {
    if (event.position <= this.position) return undefined;
    this.position = event.position;
    const attemptId = event.attempt_id ?? textIn(event.payload, 'attempt_id');
    if (attemptId !== undefined) return this.advanceLane(event, attemptId);
    if (event.event_type === 'run.state_changed') this.status = textIn(event.payload, 'to') ?? this.status;
    if (event.event_type === 'run.completed') this.status = textIn(event.payload, 'status') ?? this.status;
    return undefined;
  }

  hear(event: LiveEvent): Lane | undefined {
    const lane = this.lanesById.get(event.run_agent_id ?? '');
    lane?.hear(event);
    return lane;
  }

  private advanceLane(event: RecordedEvent, attemptId: string): Lane | undefined {
    const lane =
      event.run_agent_id === undefined
        ? this.lanesByAttempt.get(attemptId)
        : this.lanesById.get(event.run_agent_id);
    if (lane === undefined) return undefined;
    this.lanesByAttempt.set(attemptId, lane);
    if (textIn(event.payload, 'from') === 'finished') this.withdraw(attemptId);
    const landing = lane.advance(event, attemptId);
    if (landing !== undefined) this.landings = [landing, ...this.landings.slice(0, LANDINGS_KEPT - 1)];
    return lane;
  }

  /** What a retry takes back is no result any more. */
  private withdraw(attemptId: string): void {
    this.landings = this.landings.filter((landing) => landing.attemptId !== attemptId);
  }
}
