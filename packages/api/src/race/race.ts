import { type RecordedEvent } from '@agentclash/contracts';
import { numberIn, RUN_STOP_REASONS, type RunStopReason, textIn } from '@agentclash/domain';
import { Lane, type LaneAgent, type RaceSnapshot } from './lane.js';
import { BASELINE_NAME } from './pairs.js';
import { type RaceUpdate } from './updates.js';

/** The change of one event. */
export interface Applied {
  /** Undefined for an event of the run itself, of an unknown attempt, or one that was applied before. */
  lane?: Lane;
  update?: RaceUpdate;
}

/**
 * The view-model of a race, reduced from its events: lanes, progress and pace, independent of clock and screen. Its memory
 * does not grow with the length of the race.
 */
export class Race implements Pace {
  readonly lanes: readonly Lane[];
  /** Of the last event that was applied. */
  position: number;
  /** Null before its first change. */
  status: string | null = null;
  /** The start of the run, or its last resumption after its end. */
  startedAt: string | null = null;
  endedAt: string | null = null;
  scoredBefore = 0;
  /** Why the run ended before its last case, once that is recorded. */
  stopped: RunStopReason | null = null;
  private readonly lanesById: ReadonlyMap<string, Lane>;
  /** Lanes of live attempts, for events without a lane. */
  private readonly lanesByAttempt = new Map<string, Lane>();

  /** From the first event, or from a snapshot. */
  constructor(agents: readonly LaneAgent[], snapshot?: RaceSnapshot) {
    this.lanes = agents.map((agent, index) => new Lane(agent, index, snapshot));
    this.position = snapshot?.position ?? 0;
    this.lanesById = new Map(this.lanes.map((lane) => [lane.id, lane]));
  }

  get total(): number {
    return this.lanes.reduce((sum, { total }) => sum + total, 0);
  }

  get scored(): number {
    return this.lanes.reduce((sum, { scored }) => sum + scored, 0);
  }

  /** Applies an event, each once: one whose position is not beyond the last is a duplicate. */
  apply(event: RecordedEvent): Applied {
    if (event.position <= this.position) return {};
    this.position = event.position;
    const attemptId = event.attempt_id ?? textIn(event.payload, 'attempt_id');
    if (attemptId !== undefined) return this.applyToLane(event, attemptId);
    if (event.event_type === 'run.lane_halted') return this.halt(event);
    const update = this.applyToRun(event);
    return update === undefined ? {} : { update };
  }

  laneOf(runAgentId: string | undefined): Lane | undefined {
    return runAgentId === undefined ? undefined : this.lanesById.get(runAgentId);
  }

  private halt(event: RecordedEvent): Applied {
    const lane = this.lanesById.get(textIn(event.payload, 'run_agent_id') ?? '');
    if (lane === undefined) return {};
    const nameOf = (id: string) => this.lanesById.get(id)?.name ?? BASELINE_NAME;
    const { at, reason, afterCases, byName: by } = lane.stop(event, nameOf);
    this.noteStop(reason);
    const update: RaceUpdate = {
      ...{ kind: 'halted', at, laneIndex: lane.index, laneName: lane.name, reason, afterCases, by },
      skipped: numberIn(event.payload, 'skipped') ?? 0,
    };
    return { lane, update };
  }

  /** An eliminated lane is no end of the run. */
  private noteStop(reason: string | undefined): void {
    this.stopped = RUN_STOP_REASONS.find((each) => each === reason) ?? this.stopped;
  }

  private applyToRun({ event_type, payload, occurred_at: at }: RecordedEvent): RaceUpdate | undefined {
    if (event_type === 'run.completed') {
      this.status = textIn(payload, 'status') ?? this.status;
      this.noteStop(textIn(payload, 'stopped'));
      this.endedAt = at;
    }
    if (event_type !== 'run.state_changed') return undefined;
    this.status = textIn(payload, 'to') ?? this.status;
    if (this.status === 'running') this.start(at);
    return { kind: 'run', at, status: this.status ?? '', reason: textIn(payload, 'reason') ?? null };
  }

  /** A run that had ended starts again: the time until now is no measure of its retries. */
  private start(at: string): void {
    if (this.endedAt !== null) {
      this.startedAt = null;
      this.scoredBefore = this.scored;
    }
    this.endedAt = null;
    this.startedAt ??= at;
  }

  private applyToLane(event: RecordedEvent, attemptId: string): Applied {
    const lane =
      event.run_agent_id === undefined
        ? this.lanesByAttempt.get(attemptId)
        : this.lanesById.get(event.run_agent_id);
    if (lane === undefined) return {};
    this.lanesByAttempt.set(attemptId, lane);
    const update = lane.apply(event, attemptId);
    // A withdrawn score was one of those before the retry.
    if (this.scoredBefore > 0) this.scoredBefore = Math.min(this.scoredBefore, this.scored);
    if (update === undefined) return { lane };
    if (update.kind === 'scored') this.lanesByAttempt.delete(attemptId);
    return { lane, update };
  }
}

/** The progress of a lane or a race since a start: the basis of its elapsed and remaining time. */
export interface Pace {
  readonly total: number;
  readonly scored: number;
  /** Scored before `startedAt`: after a retry they are no measure of the rest. */
  readonly scoredBefore: number;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

/** Milliseconds since it started, up to its end; null before. */
export function elapsedMs(
  { startedAt, endedAt }: Pick<Pace, 'startedAt' | 'endedAt'>,
  nowMs: number,
): number | null {
  if (startedAt === null) return null;
  return Math.max(0, (endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));
}

/**
 * Remaining milliseconds if the rest takes as long as what was scored since the start; null while unknown, and at the
 * end.
 */
export function etaMs(pace: Pace, nowMs: number): number | null {
  const { scored, scoredBefore, total } = pace;
  const elapsed = elapsedMs(pace, nowMs);
  if (elapsed === null || scored <= scoredBefore || scored >= total) return null;
  return (elapsed / (scored - scoredBefore)) * (total - scored);
}
