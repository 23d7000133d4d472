import {
  type AttemptUpdate,
  type Lane,
  type LaneAgent,
  type LaneHalt,
  type LiveAttempt,
  type LiveEvent,
  Race,
  type RaceSnapshot,
  type RecordedEvent,
} from '@agentclash/api';
import { textIn } from '@agentclash/domain';
import { LaneOutput, type TailLine } from './lane-output.js';

/** The view of one lane. */
export interface LaneView {
  id: string;
  index: number;
  name: string;
  kind: string;
  /** Attempts as requested, those that were never needed, and the others. */
  planned: number;
  skipped: number;
  total: number;
  /** Null while the lane races to its last case. */
  halt: Readonly<LaneHalt> | null;
  finished: number;
  scored: number;
  passed: number;
  judged: number;
  scoredBefore: number;
  overall: number | null;
  tokens: number;
  costUsd: number;
  isCostKnown: boolean;
  startedAt: string | null;
  endedAt: string | null;
  /** The first few running attempts, and their total. */
  running: readonly Readonly<LiveAttempt>[];
  runningCount: number;
  parkedCount: number;
  tail: readonly TailLine[];
  streaming: LaneOutput['streaming'];
}

export interface RaceView {
  lanes: readonly LaneView[];
  results: readonly AttemptUpdate[];
  status: string | null;
}

const SHOWN_RUNNING = 3;
/** Lanes are redrawn at most once in this time. */
const ROUND_MS = 100;
/** The lanes are redrawn in so many groups, so that no frame draws them all. */
const TURNS = 4;
const TURN_MS = ROUND_MS / TURNS;

/**
 * Throttles the redraws of a race: changes are drawn at most ten times a second, a part of the lanes at a time.
 */
export class RaceFeed {
  private readonly race: ArenaRace;
  private readonly changed = new Set<Lane>();
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private turn = 0;
  private view: RaceView;

  constructor(agents: readonly LaneAgent[], snapshot?: RaceSnapshot) {
    this.race = new ArenaRace(agents, snapshot);
    const { lanes, results, status } = this.race;
    this.view = { lanes: lanes.map((lane) => viewOf(lane, this.race.outputOf(lane))), results, status };
  }

  get position(): number {
    return this.race.position;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The same object until something has changed. */
  readonly current = (): RaceView => this.view;

  take(event: RecordedEvent): void {
    this.drawSoon(this.race.advance(event));
  }

  stream(event: LiveEvent): void {
    this.drawSoon(this.race.stream(event));
  }

  /** Draws pending changes and stops the timer. */
  close(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.turn = 0;
    this.draw(this.race.lanes);
  }

  private drawSoon(lane: Lane | undefined): void {
    if (lane !== undefined) this.changed.add(lane);
    this.timer ??= setTimeout(() => this.drawTurn(), TURN_MS);
  }

  private drawTurn(): void {
    const due = this.race.lanes.filter((lane, at) => at % TURNS === this.turn && this.changed.has(lane));
    if (due.length > 0 || (this.turn === 0 && this.isNews)) this.draw(due);
    this.turn = (this.turn + 1) % TURNS;
    const isBehind = this.changed.size > 0 || this.isNews;
    this.timer = isBehind ? setTimeout(() => this.drawTurn(), TURN_MS) : undefined;
  }

  /** True when the results or the status have changed since the last redraw. */
  private get isNews(): boolean {
    return this.race.results !== this.view.results || this.race.status !== this.view.status;
  }

  private draw(due: readonly Lane[]): void {
    const { lanes, results, status } = this.race;
    const isDue = new Set(due);
    this.view = {
      lanes: lanes.map((lane, index) => {
        const before = this.view.lanes[index];
        return before === undefined || isDue.has(lane) ? viewOf(lane, this.race.outputOf(lane)) : before;
      }),
      // Together with the first group of lanes, so that they are drawn no more often.
      ...(this.turn === 0 ? { results, status } : { results: this.view.results, status: this.view.status }),
    };
    for (const lane of due) this.changed.delete(lane);
    for (const listener of this.listeners) listener();
  }
}

function viewOf(lane: Lane, { tail, streaming }: LaneOutput): LaneView {
  const { id, index, name, kind, total, finished, scored, passed, judged, overall, tokens, costUsd } = lane;
  const { scoredBefore, startedAt, endedAt, running, parked, planned, skipped, halt, isCostKnown } = lane;
  return {
    ...{ id, index, name, kind, total, finished, scored, passed, judged, overall, tokens, costUsd },
    ...{ scoredBefore, startedAt, endedAt, tail, streaming, planned, skipped, halt, isCostKnown },
    running: running.slice(0, SHOWN_RUNNING).map((attempt) => ({ ...attempt })),
    runningCount: running.length,
    parkedCount: parked.length,
  };
}

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
    if (update?.kind === 'halted') return lane;
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
