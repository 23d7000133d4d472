import type { RecordedEvent, RunAgent } from '@agentclash/api';
import { isGraded, numberIn, numberOf, type Payload, recordIn, textIn, tokensIn } from '@agentclash/domain';
import type { AttemptLanding } from './landing.js';

/** An attempt between its start and its scorecard. */
interface LiveAttempt {
  id: string;
  caseKey: string;
  repetition: number;
  state: string;
  step: number | undefined;
  tool: string | undefined;
  outcome: string | undefined;
  message: string | undefined;
  /** Of its calls so far, replaced by the totals once those are known. */
  tokens: number;
  costUsd: number;
}

/** One agent's side of the race. It remembers figures and the attempts under way, not those that are over. */
export class Lane {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  finished = 0;
  scored = 0;
  passed = 0;
  /** When the first of its attempts began, and when the last one was scored. */
  startedAt: string | undefined;
  endedAt: string | undefined;
  private verdicts = 0;
  private overallSum = 0;
  private overallCount = 0;
  private tokensSpent = 0;
  private costSpent = 0;
  private readonly live = new Map<string, LiveAttempt>();

  constructor({ id, name, progress }: Pick<RunAgent, 'id' | 'name' | 'progress'>) {
    this.id = id;
    this.name = name;
    this.total = progress.total;
  }

  /** Attempts that are at work, in the order in which they began. */
  get running(): readonly LiveAttempt[] {
    return [...this.live.values()].filter(({ state }) => !['finished', 'queued', 'parked'].includes(state));
  }

  /** How many wait for a person. */
  get parked(): number {
    return [...this.live.values()].filter(({ state }) => state === 'parked').length;
  }

  /** Mean over the attempts scored so far; null before the first. */
  get overall(): number | null {
    return this.overallCount === 0 ? null : this.overallSum / this.overallCount;
  }

  /** Attempts with a verdict. */
  get judged(): number {
    return this.verdicts;
  }

  get tokens(): number {
    return [...this.live.values()].reduce((sum, { tokens }) => sum + tokens, this.tokensSpent);
  }

  get costUsd(): number {
    return [...this.live.values()].reduce((sum, { costUsd }) => sum + costUsd, this.costSpent);
  }

  /** Milliseconds since it began; null before. */
  elapsedMs(nowMs: number): number | null {
    if (this.startedAt === undefined) return null;
    return (this.endedAt === undefined ? nowMs : Date.parse(this.endedAt)) - Date.parse(this.startedAt);
  }

  /** Milliseconds to go if the rest takes as long as what is done; null while nothing can be said, and at the end. */
  etaMs(nowMs: number): number | null {
    const elapsedMs = this.elapsedMs(nowMs);
    if (elapsedMs === null || this.scored === 0 || this.scored >= this.total) return null;
    return (elapsedMs / this.scored) * (this.total - this.scored);
  }

  advance(event: RecordedEvent, attemptId: string): AttemptLanding | undefined {
    // What scoring records of an attempt does not set it going again; its verdict is told by run.attempt_scored.
    if (event.source === 'worker_scoring') return undefined;
    const attempt = this.attempt(event, attemptId);
    const { payload } = event;
    switch (event.event_type) {
      case 'attempt.state_changed':
        if (textIn(payload, 'from') === 'finished') this.reopen(attempt, payload);
        this.move(attempt, textIn(payload, 'to') ?? attempt.state);
        if (attempt.state !== 'queued') this.startedAt ??= event.occurred_at;
        attempt.outcome ??= cutShort(payload);
        return undefined;
      case 'system.run.started':
        this.startedAt ??= event.occurred_at;
        this.move(attempt, 'running');
        return undefined;
      case 'system.step.started':
        attempt.step = numberIn(payload, 'step_index');
        attempt.tool = undefined;
        return undefined;
      case 'tool.call.started':
        attempt.tool = textIn(payload, 'tool_name');
        return undefined;
      case 'tool.call.completed':
      case 'tool.call.failed':
        attempt.tool = undefined;
        return undefined;
      case 'model.call.completed':
        attempt.tokens += tokensIn(payload) ?? 0;
        attempt.costUsd += numberIn(payload, 'cost_usd') ?? 0;
        return undefined;
      case 'system.run.completed':
      case 'system.run.failed':
        return this.end(attempt, event);
      case 'run.attempt_scored':
        return this.score(attempt, event);
      default:
        return undefined;
    }
  }

  private attempt({ case_key, repetition }: RecordedEvent, id: string): LiveAttempt {
    const known = this.live.get(id);
    const attempt = known ?? {
      id,
      caseKey: case_key ?? '',
      repetition: repetition ?? 1,
      state: 'queued',
      step: undefined,
      tool: undefined,
      outcome: undefined,
      message: undefined,
      tokens: 0,
      costUsd: 0,
    };
    if (known === undefined) this.live.set(id, attempt);
    return attempt;
  }

  private move(attempt: LiveAttempt, state: string): void {
    if (state === 'finished' && attempt.state !== 'finished') this.finished += 1;
    attempt.state = state;
    if (state === 'queued') attempt.step = undefined;
  }

  /** The attempt is run again: what it had come to no longer counts. */
  private reopen(attempt: LiveAttempt, payload: RecordedEvent['payload']): void {
    attempt.outcome = undefined;
    attempt.message = undefined;
    this.finished -= 1;
    this.endedAt = undefined;
    const withdrawn = recordIn(payload, 'score_withdrawn');
    if (withdrawn !== undefined) this.count(verdictIn(withdrawn), -1);
  }

  /** Takes a score in, or takes it back. */
  private count({ passed, overall }: ReturnType<typeof verdictIn>, by: 1 | -1): void {
    this.scored += by;
    if (passed !== null) this.verdicts += by;
    if (passed === true) this.passed += by;
    if (overall === null) return;
    this.overallSum += by * overall;
    this.overallCount += by;
  }

  private end(attempt: LiveAttempt, { payload, occurred_at: at }: RecordedEvent): AttemptLanding | undefined {
    attempt.outcome = textIn(payload, 'outcome');
    attempt.message = textIn(recordIn(payload, 'error') ?? {}, 'message');
    attempt.tool = undefined;
    attempt.step = undefined;
    if (attempt.state === 'running') this.move(attempt, 'settling');
    this.tokensSpent += tokensIn(payload) ?? attempt.tokens;
    this.costSpent += numberIn(payload, 'cost_usd') ?? attempt.costUsd;
    attempt.tokens = 0;
    attempt.costUsd = 0;
    if (payload.will_retry !== true) return undefined;
    return this.landing('retried', attempt, { at, passed: null, overall: null, validity: undefined });
  }

  private score(attempt: LiveAttempt, { payload, occurred_at: at }: RecordedEvent): AttemptLanding {
    const told = verdictIn(payload);
    const verdict = isGraded(attempt.outcome) ? told : { passed: null, overall: null };
    const replaced = recordIn(payload, 'replaces');
    if (replaced !== undefined) this.count(verdictIn(replaced), -1);
    this.count(verdict, 1);
    if (this.scored === this.total) this.endedAt = at;
    // Whatever was missed of it, a scored attempt is over; one that is scored anew was over before.
    if (replaced === undefined) this.move(attempt, 'finished');
    this.live.delete(attempt.id);
    const broken = textIn(recordIn(payload, 'pack_error') ?? {}, 'message');
    if (broken !== undefined) attempt.message = broken;
    return this.landing('scored', attempt, { at, ...verdict, validity: textIn(payload, 'validity') });
  }

  private landing(
    kind: AttemptLanding['kind'],
    { id, caseKey, repetition, outcome, message }: LiveAttempt,
    verdict: Pick<AttemptLanding, 'at' | 'passed' | 'overall' | 'validity'>,
  ): AttemptLanding {
    const { name: lane, scored, total } = this;
    return { kind, lane, attemptId: id, caseKey, repetition, outcome, message, scored, total, ...verdict };
  }
}

/** The outcome of an attempt that was ended before it could tell its own. */
function cutShort(payload: RecordedEvent['payload']): string | undefined {
  const reason = textIn(payload, 'reason');
  return textIn(payload, 'to') === 'finished' && !isGraded(reason) ? reason : undefined;
}

function verdictIn({ passed, overall }: Payload): { passed: boolean | null; overall: number | null } {
  return { passed: typeof passed === 'boolean' ? passed : null, overall: numberOf(overall) };
}
