import type { LiveEvent, RecordedEvent, RunAgent } from '@agentclash/api';
import { numberIn, type Outcome, type Payload, recordIn, textIn, tokensIn } from '@agentclash/domain';
import { type TailKind, tailText } from './tail-line.js';

/** Where a race is taken up that has gone on for long: what came before is in its agents' figures. */
export interface Midway {
  /** Of the last event that the figures count. */
  position: number;
  startedAt: string | null;
}

export type LaneAgent = Pick<RunAgent, 'id' | 'name' | 'kind' | 'progress' | 'overall_so_far' | 'tally'>;

/** An attempt between its start and its scorecard. */
export interface LiveAttempt {
  id: string;
  caseKey: string;
  repetition: number;
  state: string;
  step: number | null;
  tool: string | null;
  outcome: string | null;
  message: string | null;
  /** Of its calls so far; replaced by the totals once those are known. */
  tokens: number;
  costUsd: number;
}

export interface TailLine {
  /** Position of its event: the order, and a name for it. */
  position: number;
  attemptId: string;
  caseKey: string;
  kind: TailKind;
  text: string;
}

/** What is told of an attempt when its scorecard is there. */
export interface Landing {
  position: number;
  attemptId: string;
  laneIndex: number;
  laneName: string;
  caseKey: string;
  repetition: number;
  outcome: string | null;
  message: string | null;
  passed: boolean | null;
  overall: number | null;
}

interface Score {
  passed: boolean | null;
  overall: number | null;
}

/** Ends that say nothing of the agent. */
const UNGRADED: ReadonlySet<string> = new Set<Outcome>(['cancelled', 'infra_error', 'provider_error']);
const BEFORE_RUNNING: ReadonlySet<string> = new Set(['queued', 'preparing']);
const IDLE: ReadonlySet<string> = new Set(['finished', 'queued', 'parked']);
const TAIL_LINES = 40;
const SAID_CHARACTERS = 280;

/** One agent's side of a race, made from its events alone; it remembers little of what is over. */
export class Lane {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly total: number;
  finished = 0;
  scored = 0;
  passed = 0;
  judged = 0;
  /** How many were scored when `startedAt` was: those of before a retry say nothing of how long the rest takes. */
  scoredBefore = 0;
  startedAt: string | null = null;
  endedAt: string | null = null;
  tail: readonly TailLine[] = [];
  /** What a model is saying right now, the last characters of it. */
  saying: { callId: string; caseKey: string; text: string } | null = null;
  private overallSum = 0;
  private overallCount = 0;
  private tokensSpent = 0;
  private costSpent = 0;
  private readonly live = new Map<string, LiveAttempt>();

  constructor(
    agent: LaneAgent,
    readonly index: number,
    midway?: Midway,
  ) {
    this.id = agent.id;
    this.name = agent.name;
    this.kind = agent.kind;
    this.total = agent.progress.total;
    if (midway !== undefined) this.takeUp(agent, midway);
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

  /** Attempts at work, in the order in which they began. */
  get running(): LiveAttempt[] {
    return [...this.live.values()].filter(({ state }) => !IDLE.has(state));
  }

  /** Attempts that wait for a person. */
  get parked(): LiveAttempt[] {
    return [...this.live.values()].filter(({ state }) => state === 'parked');
  }

  advance(event: RecordedEvent, attemptId: string): Landing | undefined {
    // What scoring records of an attempt does not set it going again; its verdict is told by run.attempt_scored.
    if (event.source === 'worker_scoring') return undefined;
    const attempt = this.attempt(event, attemptId);
    this.tell(event, attempt);
    const landing = STORIES[event.event_type]?.(this, attempt, event);
    return landing ?? undefined;
  }

  /** A piece of what a model says; of several at once the last to speak is heard. */
  hear({ case_key: caseKey = '', payload: { call_id: callId, text } }: LiveEvent): void {
    const before = this.saying?.callId === callId ? this.saying.text : '';
    this.saying = { callId, caseKey, text: (before + text).slice(-SAID_CHARACTERS) };
  }

  /** Goes on from figures in which everything up to a position is counted. */
  private takeUp({ progress, overall_so_far: overall, tally }: LaneAgent, { startedAt }: Midway): void {
    const { finished, scored, passed, queued, total } = progress;
    const { judged = scored, graded = scored, tokens = 0, cost_usd = 0 } = tally ?? {};
    Object.assign(this, { finished, scored, passed, judged });
    this.overallCount = overall === null ? 0 : graded;
    this.overallSum = (overall ?? 0) * this.overallCount;
    this.tokensSpent = tokens;
    this.costSpent = cost_usd;
    // When one ended that was over before, nothing here tells.
    if (queued < total && scored < total) this.startedAt = startedAt;
  }

  move(attempt: LiveAttempt, state: string, at: string): void {
    if (state === 'finished' && attempt.state !== 'finished') this.finished += 1;
    if (state === 'queued') {
      attempt.step = null;
      attempt.tool = null;
    } else this.startedAt ??= at;
    attempt.state = state;
  }

  /** The attempt is run again: what it had come to no longer counts. Null: it had no score. */
  reopen(attempt: LiveAttempt, withdrawn: Score | null): void {
    attempt.outcome = null;
    attempt.message = null;
    this.finished -= 1;
    if (this.endedAt !== null) this.startedAt = null;
    this.endedAt = null;
    if (withdrawn !== null) this.count(withdrawn, -1);
    if (this.startedAt === null) this.scoredBefore = this.scored;
  }

  spend(attempt: LiveAttempt, tokens: number, costUsd: number): void {
    attempt.tokens += tokens;
    attempt.costUsd += costUsd;
  }

  /** The totals of a delivery take the place of what was added up. */
  settle(attempt: LiveAttempt, { tokens, costUsd }: { tokens?: number; costUsd?: number }): void {
    this.tokensSpent += tokens ?? attempt.tokens;
    this.costSpent += costUsd ?? attempt.costUsd;
    attempt.tokens = 0;
    attempt.costUsd = 0;
  }

  score(attempt: LiveAttempt, event: RecordedEvent): Landing {
    const { position, occurred_at: at, payload } = event;
    const isGraded = !UNGRADED.has(attempt.outcome ?? '');
    const score = isGraded ? scoreIn(payload) : { passed: null, overall: null };
    const replaced = recordIn(payload, 'replaces');
    if (replaced !== undefined) this.count(scoreIn(replaced), -1);
    this.count(score, 1);
    this.live.delete(attempt.id);
    this.endedAt = this.scored === this.total ? at : null;
    const { id: attemptId, caseKey, repetition, outcome } = attempt;
    const broken = textIn(recordIn(payload, 'pack_error') ?? {}, 'message');
    const message = broken ?? attempt.message;
    const { index: laneIndex, name: laneName } = this;
    return { position, attemptId, laneIndex, laneName, caseKey, repetition, outcome, message, ...score };
  }

  /** Takes a score in, or takes it back. */
  private count({ passed, overall }: Score, by: 1 | -1): void {
    this.scored += by;
    if (passed !== null) this.judged += by;
    if (passed === true) this.passed += by;
    if (overall === null) return;
    this.overallSum += by * overall;
    this.overallCount += by;
  }

  private tell(event: RecordedEvent, { id: attemptId, caseKey }: LiveAttempt): void {
    if (textIn(event.payload, 'call_id') === this.saying?.callId) this.saying = null;
    const said = tailText(event);
    if (said === undefined) return;
    const line = { position: event.position, attemptId, caseKey, ...said };
    this.tail = [...this.tail.slice(1 - TAIL_LINES), line];
  }

  private attempt(event: RecordedEvent, id: string): LiveAttempt {
    const known = this.live.get(id);
    if (known !== undefined) return known;
    const { case_key, repetition } = event;
    const attempt: LiveAttempt = {
      id,
      caseKey: case_key ?? '',
      repetition: repetition ?? 1,
      state: stateBefore(event),
      step: null,
      tool: null,
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

/** What an attempt was doing of which this is the first event that is heard. */
function stateBefore({ event_type, payload }: RecordedEvent): string {
  if (event_type === 'attempt.state_changed') return textIn(payload, 'from') ?? 'queued';
  return event_type === 'run.attempt_scored' ? 'finished' : 'running';
}

type Story = (lane: Lane, attempt: LiveAttempt, event: RecordedEvent) => Landing | undefined;

const tells =
  (change: (attempt: LiveAttempt, event: RecordedEvent) => void): Story =>
  (_lane, attempt, event) => {
    change(attempt, event);
    return undefined;
  };

/** What an event changes, by its type; others change nothing. */
const STORIES: Readonly<Record<string, Story>> = {
  'attempt.state_changed': (lane, attempt, { payload, occurred_at }) => {
    const [to = attempt.state, reason] = [textIn(payload, 'to'), textIn(payload, 'reason')];
    if (textIn(payload, 'from') === 'finished') {
      const withdrawn = recordIn(payload, 'score_withdrawn');
      lane.reopen(attempt, withdrawn === undefined ? null : scoreIn(withdrawn));
    }
    lane.move(attempt, to, occurred_at);
    // One that was ended before it could tell its own outcome.
    if (to === 'finished' && UNGRADED.has(reason ?? '')) attempt.outcome ??= reason ?? null;
    return undefined;
  },
  'system.run.started': (lane, attempt, { occurred_at }) => {
    // What the executor tells may arrive after what the orchestrator has made of it.
    if (BEFORE_RUNNING.has(attempt.state)) lane.move(attempt, 'running', occurred_at);
    return undefined;
  },
  'system.step.started': tells((attempt, { payload }) => {
    attempt.step = numberIn(payload, 'step_index') ?? null;
    attempt.tool = null;
  }),
  'tool.call.started': tells((attempt, { payload }) => {
    attempt.tool = textIn(payload, 'tool_name') ?? null;
  }),
  'tool.call.completed': tells((attempt) => {
    attempt.tool = null;
  }),
  'tool.call.failed': tells((attempt) => {
    attempt.tool = null;
  }),
  'model.call.completed': (lane, attempt, { payload }) => {
    lane.spend(attempt, tokensIn(payload) ?? 0, numberIn(payload, 'cost_usd') ?? 0);
    return undefined;
  },
  'system.run.completed': endOfRun,
  'system.run.failed': endOfRun,
  'run.attempt_scored': (lane, attempt, event) => lane.score(attempt, event),
};

function scoreIn({ passed, overall }: Payload): Score {
  return {
    passed: typeof passed === 'boolean' ? passed : null,
    overall: typeof overall === 'number' ? overall : null,
  };
}

function endOfRun(lane: Lane, attempt: LiveAttempt, { payload, occurred_at }: RecordedEvent): undefined {
  const [tokens, costUsd] = [tokensIn(payload), numberIn(payload, 'cost_usd')];
  attempt.outcome = textIn(payload, 'outcome') ?? null;
  attempt.message = textIn(recordIn(payload, 'error') ?? {}, 'message') ?? null;
  attempt.step = null;
  attempt.tool = null;
  if (attempt.state === 'running') lane.move(attempt, 'settling', occurred_at);
  lane.settle(attempt, {
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
  });
}
