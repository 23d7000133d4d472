import type { HistoryEvent, Progress, RunAgent } from '@agentclash/contracts';
import { endsOf, OUTCOMES, type Outcome, type RunStatus } from '@agentclash/domain';

/** Counts of one run agent's attempts; every attempt is in exactly one of `queued`, `running`, `skipped` and the outcomes. */
export interface AgentCounts {
  queued: number;
  running: number;
  scored: number;
  passed: number;
  /** Scored attempts whose scorecard is not invalid: what `graded` counts in a progress. */
  usable: number;
  /** Scored attempts that have an overall, and the sum of these: for the mean alone. */
  graded: number;
  overallSum: number;
  /** Scored attempts that passed or failed. */
  judged: number;
  /** The consumption of models, by the totals of deliveries. */
  tokens: number;
  /** The known part. */
  costUsd: number;
  /** Deliveries whose cost is unknown. */
  unpriced: number;
  /** Never needed. */
  skipped: number;
  byOutcome: Record<Outcome, number>;
}

/** A change of counts; what is absent stays. */
export type CountChange = Partial<Omit<AgentCounts, 'byOutcome'>> & {
  byOutcome?: Partial<Record<Outcome, number>>;
};

const PLAIN = [
  'queued',
  'running',
  'scored',
  'passed',
  'usable',
  'graded',
  'overallSum',
  'judged',
  'tokens',
  'costUsd',
  'unpriced',
  'skipped',
] as const;
export type PlainCount = (typeof PLAIN)[number];

export function addCounts(counts: AgentCounts, change: CountChange): AgentCounts {
  const plain = Object.fromEntries(PLAIN.map((name) => [name, counts[name] + (change[name] ?? 0)]));
  const byOutcome = Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, counts.byOutcome[outcome] + (change.byOutcome?.[outcome] ?? 0)]),
  );
  return { ...counts, ...plain, byOutcome: byOutcome as AgentCounts['byOutcome'] };
}

/** No attempts at all. */
export function noCounts(): AgentCounts {
  const byOutcome = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0]));
  return {
    queued: 0,
    running: 0,
    scored: 0,
    passed: 0,
    usable: 0,
    graded: 0,
    overallSum: 0,
    judged: 0,
    tokens: 0,
    costUsd: 0,
    unpriced: 0,
    skipped: 0,
    byOutcome: byOutcome as AgentCounts['byOutcome'],
  };
}

/** The progress of these agents together. */
export function progressOf(agents: readonly AgentCounts[]): Progress {
  const all = agents.reduce(addCounts, noCounts());
  const reached = OUTCOMES.filter((outcome) => all.byOutcome[outcome] > 0);
  const finished = reached.reduce((sum, outcome) => sum + all.byOutcome[outcome], 0);
  return {
    total: all.queued + all.running + finished + all.skipped,
    queued: all.queued,
    running: all.running,
    finished,
    ...(all.skipped > 0 && { skipped: all.skipped }),
    scored: all.scored,
    graded: all.usable,
    passed: all.passed,
    by_outcome: Object.fromEntries(reached.map((outcome) => [outcome, all.byOutcome[outcome]])),
  };
}

/** Mean overall of what is scored so far; null before the first. */
export function overallSoFar({ graded, overallSum }: AgentCounts): number | null {
  return graded === 0 ? null : overallSum / graded;
}

/** Events with the totals of a delivery. */
const ENDS: ReadonlySet<string> = new Set(endsOf('system.run'));

/** Tokens and cost of a delivery, by the event that ends it; undefined for other events, and where they are missing. */
export function spendingOf({
  event_type,
  payload,
}: Pick<HistoryEvent, 'event_type' | 'payload'>): CountChange | undefined {
  if (!ENDS.has(event_type)) return undefined;
  const { usage, cost_usd, cost_at_least_usd, model_call_count } = payload;
  const { total, input, output } = (usage ?? {}) as Readonly<Record<string, unknown>>;
  const tokens = figure(total) || figure(input) + figure(output);
  // Null is the number of an imported attempt that is not known.
  const isCalled = tokens > 0 || figure(model_call_count) > 0 || model_call_count === null;
  return {
    tokens,
    costUsd: figure(cost_usd) || figure(cost_at_least_usd),
    ...(isCalled && typeof cost_usd !== 'number' && { unpriced: 1 }),
  };
}

/** The cost of an agent's attempts: unknown, and never 0, where that of any delivery is unknown. */
export function costOf({ costUsd, unpriced }: AgentCounts): {
  cost_usd: number | null;
  cost_at_least_usd?: number;
} {
  if (unpriced === 0) return { cost_usd: costUsd };
  return { cost_usd: null, ...(costUsd > 0 && { cost_at_least_usd: costUsd }) };
}

/** Figures of programs and endpoints are untrusted. */
function figure(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

type RunAgentStatus = NonNullable<RunAgent['status']>;

/** Where an agent of a run is, by its own attempts: it may be done while others still work (execution 1.2). */
export function runAgentStatus(counts: AgentCounts, runStatus: RunStatus): RunAgentStatus {
  const { total, queued, finished, scored, skipped = 0 } = progressOf([counts]);
  if (runStatus === 'cancelled') return 'cancelled';
  if (finished + skipped < total) return queued === total ? 'queued' : 'running';
  if (scored < finished) return 'scoring';
  return counts.usable > 0 ? 'completed' : 'failed';
}
