import type { RecordedEvent, Run, RunAgent } from '@agentclash/api';
import { textIn } from '@agentclash/domain';
import type { Landing } from './landing.js';
import { Lane } from './lane.js';

/** What is known of a race while its events come in: no clock, no screen. */
export class Board {
  readonly lanes: readonly Lane[];
  readonly title: string;
  status: string;
  startedAt: string | undefined;
  endedAt: string | undefined;
  private readonly lanesById: ReadonlyMap<string, Lane>;
  /** Lanes of attempts under way, for events that name the attempt alone. */
  private readonly lanesByAttempt = new Map<string, Lane>();

  constructor(run: Pick<Run, 'id' | 'name' | 'pack' | 'input_set'>, agents: readonly RunAgent[]) {
    const { slug, version_number: number } = run.pack;
    this.title = `${run.name ?? run.id}  ${slug} v${number} / ${run.input_set.key}`;
    this.status = 'queued';
    this.lanes = agents.map((agent) => new Lane(agent));
    this.lanesById = new Map(this.lanes.map((lane) => [lane.id, lane]));
  }

  get total(): number {
    return this.lanes.reduce((sum, { total }) => sum + total, 0);
  }

  get scored(): number {
    return this.lanes.reduce((sum, { scored }) => sum + scored, 0);
  }

  /** Milliseconds to go if the rest takes as long as what is done; null while nothing can be said. */
  etaMs(nowMs: number): number | null {
    if (this.startedAt === undefined || this.scored === 0) return null;
    return ((nowMs - Date.parse(this.startedAt)) / this.scored) * (this.total - this.scored);
  }

  /** Takes in one event; the answer is what is worth telling of it. */
  advance(event: RecordedEvent): Landing | undefined {
    const attemptId = event.attempt_id ?? textIn(event.payload, 'attempt_id');
    if (attemptId !== undefined) return this.advanceLane(event, attemptId);
    if (event.event_type === 'run.completed') {
      this.status = textIn(event.payload, 'status') ?? this.status;
      this.endedAt = event.occurred_at;
    }
    if (event.event_type !== 'run.state_changed') return undefined;
    this.status = textIn(event.payload, 'to') ?? this.status;
    if (this.status === 'running') {
      this.startedAt ??= event.occurred_at;
      this.endedAt = undefined;
    }
    return {
      kind: 'run',
      at: event.occurred_at,
      status: this.status,
      reason: textIn(event.payload, 'reason'),
    };
  }

  private advanceLane(event: RecordedEvent, attemptId: string): Landing | undefined {
    const lane =
      event.run_agent_id === undefined
        ? this.lanesByAttempt.get(attemptId)
        : this.lanesById.get(event.run_agent_id);
    if (lane === undefined) return undefined;
    this.lanesByAttempt.set(attemptId, lane);
    const landing = lane.advance(event, attemptId);
    if (landing?.kind === 'scored') this.lanesByAttempt.delete(attemptId);
    return landing;
  }
}
