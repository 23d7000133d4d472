import type { LiveEvent, RecordedEvent } from '@agentclash/api';
import type { Landing, Lane, LaneAgent, LiveAttempt, Midway, TailLine } from './lane.js';
import { Race } from './race.js';

/** One lane as it is drawn. */
export interface LaneView {
  id: string;
  index: number;
  name: string;
  kind: string;
  total: number;
  finished: number;
  scored: number;
  passed: number;
  judged: number;
  overall: number | null;
  tokens: number;
  costUsd: number;
  startedAt: string | null;
  endedAt: string | null;
  /** The first few at work, and how many there are. */
  running: readonly Readonly<LiveAttempt>[];
  runningCount: number;
  parkedCount: number;
  tail: readonly TailLine[];
  saying: Lane['saying'];
}

export interface RaceView {
  lanes: readonly LaneView[];
  landings: readonly Landing[];
  status: string | null;
}

const SHOWN_RUNNING = 3;
/** More often than this nobody sees the difference. */
const DRAW_EVERY_MS = 100;

/** Brings a race's events to the screen, however many come: what has changed is drawn at most ten times a second. */
export class RaceFeed {
  private readonly race: Race;
  private readonly changed = new Set<Lane>();
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private view: RaceView;

  constructor(agents: readonly LaneAgent[], midway?: Midway) {
    this.race = new Race(agents, midway);
    const { lanes, landings, status } = this.race;
    this.view = { lanes: lanes.map(viewOf), landings, status };
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

  hear(event: LiveEvent): void {
    this.drawSoon(this.race.hear(event));
  }

  /** Draws what is left and lets go of the clock. */
  close(): void {
    clearTimeout(this.timer);
    this.draw();
  }

  private drawSoon(lane: Lane | undefined): void {
    if (lane !== undefined) this.changed.add(lane);
    this.timer ??= setTimeout(() => this.draw(), DRAW_EVERY_MS);
  }

  private draw(): void {
    this.timer = undefined;
    const { lanes, landings, status } = this.race;
    this.view = {
      lanes: lanes.map((lane, index) => {
        const before = this.view.lanes[index];
        return before === undefined || this.changed.has(lane) ? viewOf(lane) : before;
      }),
      landings,
      status,
    };
    this.changed.clear();
    for (const listener of this.listeners) listener();
  }
}

function viewOf(lane: Lane): LaneView {
  const { id, index, name, kind, total, finished, scored, passed, judged, overall, tokens, costUsd } = lane;
  const { startedAt, endedAt, running, parked, tail, saying } = lane;
  return {
    ...{ id, index, name, kind, total, finished, scored, passed, judged, overall, tokens, costUsd },
    ...{ startedAt, endedAt, tail, saying },
    running: running.slice(0, SHOWN_RUNNING).map((attempt) => ({ ...attempt })),
    runningCount: running.length,
    parkedCount: parked.length,
  };
}
