import type { RecordedEvent, RunAgent } from '@agentclash/contracts';
import {
  type EndOf,
  type ExecutionEventType,
  isGraded,
  numberIn,
  type Payload,
  type PayloadOf,
  recordIn,
  recordOf,
  textIn,
  tokensIn,
} from '@agentclash/domain';
import { type KnownCosts, knownCost } from './savings.js';
import type { AttemptUpdate } from './updates.js';

/** The position at which a follower joins a running race: the figures of its agents count everything before. */
export interface RaceSnapshot {
  /** Of the last event that the figures count. */
  position: number;
  startedAt: string | null;
}

export type LaneAgent = Pick<RunAgent, 'id' | 'name' | 'kind' | 'progress' | 'overall_so_far' | 'tally'>;

/** Why a lane needs no further attempts, and since when. */
export interface LaneHalt {
  /** The lane is eliminated, or the whole run is stopped; as recorded. */
  reason: string;
  at: string;
  /** Of an eliminated lane: the cases of the evidence by then. */
  afterCases: number | null;
  /** The lane that was better, where one was: its id and its name. */
  by: string | null;
  byName: string | null;
}

/** An attempt between its start and its scorecard. */
export interface LiveAttempt {
  id: string;
  caseKey: string;
  repetition: number;
  state: string;
  step: number | null;
  tool: string | null;
  /** The image that its sandbox waits for, as in `image pull 40 %`. */
  image: string | null;
  outcome: string | null;
  message: string | null;
  /** Of its calls so far; replaced by the totals once those are known. */
  tokens: number;
  costUsd: number;
  /** Of its latest delivery that has ended; null where that is unknown, absent before the first end. */
  settledUsd?: number | null;
  /** True once a delivery has called a model. */
  isCalled?: boolean;
}

interface Score {
  passed: boolean | null;
  overall: number | null;
}

const NO_SCORE: Score = { passed: null, overall: null };
const BEFORE_RUNNING: ReadonlySet<string> = new Set(['queued', 'preparing']);
const IDLE: ReadonlySet<string> = new Set(['finished', 'queued', 'parked']);

/** One agent's side of a race, reduced from its events; it keeps figures and live attempts, not ended ones. */
export class Lane {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** Attempts as requested. */
  readonly planned: number;
  /** Attempts that were never needed: the race was decided, or its budget used up. */
  skipped = 0;
  /** Null while the lane races to its last case. */
  halt: LaneHalt | null = null;
  /** False once the cost of a call is unknown: the cost is then a lower bound. */
  isCostKnown: boolean;
  finished = 0;
  scored = 0;
  passed = 0;
  /** Attempts with a verdict. */
  judged = 0;
  scoredBefore = 0;
  /** When the first of its attempts started, since the last retry of an ended lane. */
  startedAt: string | null = null;
  /** When the last of its attempts was scored. */
  endedAt: string | null = null;
  private overallSum = 0;
  private overallCount = 0;
  private tokensSpent = 0;
  private costSpent = 0;
  /** Attempts of a known cost that ended by themselves, and what their latest deliveries cost. */
  private paid: KnownCosts = { attempts: 0, usd: 0 };
  private cancelled = 0;
  /** Cancelled attempts that had called no model. */
  notRun = 0;
  private readonly live = new Map<string, LiveAttempt>();

  constructor(
    agent: LaneAgent,
    readonly index: number,
    snapshot?: RaceSnapshot,
  ) {
    this.id = agent.id;
    this.name = agent.name;
    this.kind = agent.kind;
    this.planned = agent.progress.total;
    this.isCostKnown = agent.tally?.cost_usd !== null;
    if (snapshot !== undefined) this.restore(agent, snapshot);
  }

  /** Attempts that end: all but the skipped ones. */
  get total(): number {
    return this.planned - this.skipped;
  }

  /** Mean over the attempts scored so far; null before the first. */
  get overall(): number | null {
    return this.overallCount === 0 ? null : this.overallSum / this.overallCount;
  }

  get tokens(): number {
    return this.sumOfLive(({ tokens }) => tokens, this.tokensSpent);
  }

  get costUsd(): number {
    return this.sumOfLive(({ costUsd }) => costUsd, this.costSpent);
  }

  /** As those of the server: absent where all its attempts ran and ended by themselves at a known cost. */
  get known(): KnownCosts | undefined {
    return this.isCostKnown && this.cancelled === 0 && this.skipped === 0 ? undefined : this.paid;
  }

  /** Running attempts, in the order in which they started. */
  get running(): LiveAttempt[] {
    return [...this.live.values()].filter(({ state }) => !IDLE.has(state));
  }

  /** Attempts that wait for a human turn. */
  get parked(): LiveAttempt[] {
    return [...this.live.values()].filter(({ state }) => state === 'parked');
  }

  apply(event: RecordedEvent, attemptId: string): AttemptUpdate | undefined {
    // An event of scoring does not reopen the attempt: its verdict comes with run.attempt_scored.
    if (event.source === 'worker_scoring') return undefined;
    const attempt = this.attempt(event, attemptId);
    return REDUCERS[event.event_type]?.(this, attempt, event);
  }

  move(attempt: LiveAttempt, state: string, at: string): void {
    if (state === 'finished' && attempt.state !== 'finished') this.finished += 1;
    if (state === 'queued') {
      attempt.step = null;
      attempt.tool = null;
      attempt.image = null;
    } else this.startedAt ??= at;
    attempt.state = state;
  }

  /** No further attempt of the lane is delivered; a lane whose last attempt was scored has ended. */
  stop({ payload, occurred_at: at }: RecordedEvent, nameOf: (laneId: string) => string): LaneHalt {
    this.skipped += numberIn(payload, 'skipped') ?? 0;
    const by = textIn(payload, 'by') ?? null;
    const halt = {
      ...{ at, by, byName: by === null ? null : nameOf(by) },
      reason: textIn(payload, 'reason') ?? 'decided',
      afterCases: numberIn(payload, 'after_cases') ?? null,
    };
    this.halt ??= halt;
    if (this.scored === this.total) this.endedAt ??= at;
    return halt;
  }

  /** A retry of the attempt: its result is withdrawn. Null: it had no score. */
  reopen(attempt: LiveAttempt, withdrawn: Score | null): void {
    attempt.outcome = null;
    attempt.message = null;
    this.finished -= 1;
    if (this.endedAt !== null) this.startedAt = null;
    this.endedAt = null;
    if (withdrawn !== null) this.count(withdrawn, -1);
    this.scoredBefore = this.startedAt === null ? this.scored : Math.min(this.scoredBefore, this.scored);
  }

  /** Adds one call to the attempt. */
  spend(attempt: LiveAttempt, payload: Payload): void {
    this.checkCost(payload);
    attempt.tokens += tokensIn(payload) ?? 0;
    attempt.costUsd += numberIn(payload, 'cost_usd') ?? 0;
  }

  /** The totals of a delivery replace the sum of its calls. */
  settle(attempt: LiveAttempt, payload: Payload): void {
    this.checkCost(payload);
    this.tokensSpent += tokensIn(payload) ?? attempt.tokens;
    this.costSpent +=
      numberIn(payload, 'cost_usd') ?? numberIn(payload, 'cost_at_least_usd') ?? attempt.costUsd;
    attempt.tokens = 0;
    attempt.costUsd = 0;
    attempt.settledUsd = numberIn(payload, 'cost_usd') ?? (isCalled(payload) ? null : 0);
    attempt.isCalled = attempt.isCalled === true || isCalled(payload);
  }

  score(attempt: LiveAttempt, event: RecordedEvent): AttemptUpdate {
    const { payload, occurred_at: at } = event;
    const score = isGraded(attempt.outcome) ? scoreIn(payload) : NO_SCORE;
    const replaced = recordIn(payload, 'replaces');
    if (replaced !== undefined) this.count(scoreIn(replaced), -1);
    this.count(score, 1);
    this.endedAt = this.scored === this.total ? at : null;
    // Even if events were missed, a scored attempt is finished; one that is scored again was finished before.
    if (replaced === undefined) {
      this.move(attempt, 'finished', at);
      this.countCost(attempt);
    }
    this.live.delete(attempt.id);
    attempt.message = textIn(recordIn(payload, 'pack_error') ?? {}, 'message') ?? attempt.message;
    return this.update('scored', { attempt, event, score });
  }

  update(
    kind: AttemptUpdate['kind'],
    { attempt, event, score = NO_SCORE }: { attempt: LiveAttempt; event: RecordedEvent; score?: Score },
  ): AttemptUpdate {
    const { position, occurred_at: at, payload } = event;
    const { index: laneIndex, name: laneName, scored, total } = this;
    const { id: attemptId, caseKey, repetition, outcome, message } = attempt;
    const validity = kind === 'scored' ? (textIn(payload, 'validity') ?? null) : null;
    return {
      ...{ kind, position, at, attemptId, laneIndex, laneName, caseKey, repetition, outcome, message },
      ...{ ...score, validity, scored, total },
    };
  }

  private restore(
    { progress, overall_so_far: overall, tally }: LaneAgent,
    { startedAt }: RaceSnapshot,
  ): void {
    const { finished, scored, passed, queued, skipped = 0 } = progress;
    const { judged = scored, graded = scored, tokens = 0 } = tally ?? {};
    const { costUsd, isCostKnown } = knownCost(tally);
    Object.assign(this, { finished, scored, passed, judged, skipped });
    this.overallCount = overall === null ? 0 : graded;
    this.overallSum = (overall ?? 0) * this.overallCount;
    this.tokensSpent = tokens;
    Object.assign(this, { costSpent: costUsd, isCostKnown });
    this.cancelled = progress.by_outcome.cancelled ?? 0;
    const ended = isCostKnown ? finished - this.cancelled : 0;
    this.notRun = tally?.not_run ?? 0;
    this.paid = tally?.known_costs ?? { attempts: ended, usd: ended === 0 ? 0 : costUsd };
    // The figures lack the end of a lane that is complete.
    if (queued < this.total && scored < this.total) this.startedAt = startedAt;
  }

  /** A call, or a delivery with calls, without a cost: some model has no price, or reported no tokens. */
  private checkCost(payload: Payload): void {
    if (isCalled(payload) && numberIn(payload, 'cost_usd') === undefined) this.isCostKnown = false;
  }

  private countCost({ outcome, settledUsd, isCalled }: LiveAttempt): void {
    if (outcome === 'cancelled') {
      this.cancelled += 1;
      if (settledUsd === 0 && isCalled !== true && this.kind !== 'endpoint') this.notRun += 1;
    } else if (typeof settledUsd === 'number') {
      this.paid = { attempts: this.paid.attempts + 1, usd: this.paid.usd + settledUsd };
    }
  }

  /** Adds a score to the figures, or withdraws it. */
  private count({ passed, overall }: Score, by: 1 | -1): void {
    this.scored += by;
    if (passed !== null) this.judged += by;
    if (passed === true) this.passed += by;
    if (overall === null) return;
    this.overallSum += by * overall;
    this.overallCount += by;
  }

  private attempt(event: RecordedEvent, id: string): LiveAttempt {
    const known = this.live.get(id);
    if (known !== undefined) return known;
    const attempt: LiveAttempt = {
      id,
      caseKey: event.case_key ?? '',
      repetition: event.repetition ?? 1,
      state: stateBefore(event),
      step: null,
      tool: null,
      image: null,
      outcome: null,
      message: null,
      tokens: 0,
      costUsd: 0,
    };
    this.live.set(id, attempt);
    return attempt;
  }

  private sumOfLive(figure: (attempt: LiveAttempt) => number, spent: number): number {
    let sum = spent;
    for (const attempt of this.live.values()) sum += figure(attempt);
    return sum;
  }
}

/** Null is the number of an imported attempt that is not known. */
function isCalled(payload: Payload): boolean {
  if (payload.model_call_count === null) return true;
  return (tokensIn(payload) ?? 0) > 0 || (numberIn(payload, 'model_call_count') ?? 0) > 0;
}

/** The state of an attempt before the first of its events that a follower receives. */
function stateBefore({ event_type, payload }: RecordedEvent): string {
  if (event_type === 'attempt.state_changed') return textIn(payload, 'from') ?? 'queued';
  return event_type === 'run.attempt_scored' ? 'finished' : 'running';
}

type Reducer = (lane: Lane, attempt: LiveAttempt, event: RecordedEvent) => AttemptUpdate | undefined;

const changes =
  <T extends ExecutionEventType>(change: (attempt: LiveAttempt, payload: PayloadOf<T>) => void): Reducer =>
  (_lane, attempt, { payload }) => {
    change(attempt, payload);
    return undefined;
  };

const withoutTool = changes((attempt) => {
  attempt.tool = null;
});

/** The changes of an event, by its type; other types change nothing. */
const REDUCERS: Readonly<Record<string, Reducer>> = {
  'attempt.state_changed': (lane, attempt, { payload: recorded, occurred_at }) => {
    const payload: PayloadOf<'attempt.state_changed'> = recorded;
    const [to = attempt.state, reason] = [textIn(payload, 'to'), textIn(payload, 'reason')];
    if (textIn(payload, 'from') === 'finished') {
      const withdrawn = recordIn(payload, 'score_withdrawn');
      lane.reopen(attempt, withdrawn === undefined ? null : scoreIn(withdrawn));
    }
    lane.move(attempt, to, occurred_at);
    // Ended before its executor could report an outcome.
    if (to === 'finished' && reason !== undefined && !isGraded(reason)) attempt.outcome ??= reason;
    return undefined;
  },
  'system.run.started': (lane, attempt, { occurred_at }) => {
    // An event of the executor may be stored after a state change that it preceded.
    if (BEFORE_RUNNING.has(attempt.state)) lane.move(attempt, 'running', occurred_at);
    return undefined;
  },
  'sandbox.image.progressed': changes<'sandbox.image.progressed'>((attempt, payload) => {
    const percent = numberIn(payload, 'percent');
    const part = percent === undefined ? textIn(payload, 'line') : `${percent} %`;
    attempt.image = ['image', textIn(payload, 'phase'), part].filter(Boolean).join(' ');
  }),
  'sandbox.created': changes((attempt) => {
    attempt.image = null;
  }),
  'system.step.started': changes<'system.step.started'>((attempt, payload) => {
    attempt.step = numberIn(payload, 'step_index') ?? null;
    attempt.tool = null;
  }),
  'tool.call.started': changes<'tool.call.started'>((attempt, payload) => {
    attempt.tool = textIn(payload, 'tool_name') ?? null;
  }),
  'tool.call.completed': withoutTool,
  'tool.call.failed': withoutTool,
  'model.call.completed': (lane, attempt, { payload }) => {
    lane.spend(attempt, payload);
    return undefined;
  },
  'system.run.completed': endRun,
  'system.run.failed': endRun,
  'run.attempt_scored': (lane, attempt, event) => lane.score(attempt, event),
};

function endRun(lane: Lane, attempt: LiveAttempt, event: RecordedEvent): AttemptUpdate | undefined {
  const { occurred_at } = event;
  const payload: PayloadOf<EndOf<'system.run'>> = event.payload;
  attempt.outcome = textIn(payload, 'outcome') ?? null;
  attempt.message = textIn(recordOf(payload.error), 'message') ?? null;
  attempt.step = null;
  attempt.tool = null;
  attempt.image = null;
  if (attempt.state === 'running') lane.move(attempt, 'settling', occurred_at);
  lane.settle(attempt, payload);
  return payload.will_retry === true ? lane.update('retried', { attempt, event }) : undefined;
}

function scoreIn({ passed, overall }: Payload): Score {
  return {
    passed: typeof passed === 'boolean' ? passed : null,
    overall: typeof overall === 'number' ? overall : null,
  };
}
