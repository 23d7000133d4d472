import {
  type Client,
  type GateDecision,
  type GatePreview,
  gateNotesInWords,
  type Run,
  type RunComparison,
  routes,
} from '@agentclash/api';
import { DEFAULT_BASELINE, EXIT_CODES } from '@agentclash/domain';
import { findBaseline, scopeOf } from '../lookup/baselines.js';
import { score } from '../terminal/figures.js';
import type { Look, Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { comparisonView } from './comparison-view.js';
import { gateReasons, reasonText } from './measures.js';

/** The decision of a gate, or its preview. */
export type Decided = Pick<
  GateDecision,
  'verdict' | 'reasons' | 'notes' | 'detectable' | 'policy' | 'policy_fingerprint' | 'race' | 'agents'
>;

/** The exit code of each verdict. */
export const GATE_EXITS = {
  pass: undefined,
  fail: EXIT_CODES.failed,
  warn: EXIT_CODES.warned,
  insufficient_evidence: EXIT_CODES.insufficient_evidence,
} as const;

const COLORS = { pass: 'green', warn: 'yellow', fail: 'red', insufficient_evidence: 'yellow' } as const;

/** The decision in a line, its reasons below, then what it could not look at and what it could have seen. */
export function gateView(decided: Decided, paint: Paint): string {
  const { verdict, notes = [], policy, policy_fingerprint } = decided;
  const word = verdictText(verdict, paint);
  const by = paint.dim(`by policy ${oneLine(policy.name)} ${policy_fingerprint.slice(0, 12)}`);
  const minor = [...gateNotesInWords(notes), ...detectableLines(decided)];
  return [
    `gate  ${word}  ${by}`,
    ...gateReasons(decided).map((line) => `  ${oneLine(line)}`),
    ...minor.map((line) => paint.dim(`  ${oneLine(line)}`)),
  ].join('\n');
}

export function verdictText(verdict: GateDecision['verdict'], paint: Paint): string {
  return paint[COLORS[verdict]](paint.bold(verdict.replaceAll('_', ' ')));
}

/** `correctness: a loss of 0.126 or more would have been significant with 80 % power`, for each compared dimension. */
export function detectableLines({
  reasons,
  detectable = {},
  agents = [],
}: Pick<Decided, 'reasons' | 'detectable' | 'agents'>): string[] {
  const own = Object.entries(detectable).flatMap(([dimension, loss]) => {
    const none = `too_few_cases_to_test:${dimension}`;
    if (loss === null) return reasons.includes(none) ? [] : [reasonText(none)];
    return [`${dimension}: a loss of ${score(loss)} or more would have been significant with 80 % power`];
  });
  const each = agents.flatMap(({ agent, ...found }) =>
    detectableLines(found).map((line) => `${agent}: ${line}`),
  );
  return [...own, ...each];
}

/** A run beside its baseline, and what a gate would decide. */
export interface AgainstBaseline {
  gate: Omit<GatePreview, 'comparison'>;
  comparison: RunComparison;
}

export interface BaselineChoice {
  /** Its name; without one the default, where that is set. */
  baseline?: string;
  policy?: string;
  /** The lane of the run. */
  agent?: string;
}

/**
 * Undefined for a run that is not over, that is the baseline itself, that has none among the runs of its pack and input
 * set, or that cannot be compared with an unnamed one. Nothing is stored.
 */
export async function againstBaseline(
  client: Client,
  run: Pick<Run, 'id' | 'finished_at' | 'pack' | 'input_set'>,
  { baseline: named, policy, agent }: BaselineChoice,
): Promise<AgainstBaseline | undefined> {
  const name = named ?? DEFAULT_BASELINE;
  const baseline = run.finished_at === null ? undefined : await findBaseline(client, name, scopeOf(run));
  if (baseline === undefined || baseline.run_id === run.id) return undefined;
  const lane = agent === undefined ? {} : { candidate_agent: agent };
  const { comparison, ...gate } = await client.call(routes.gates.preview, {
    body: { baseline: name, candidate_run_id: run.id, ...lane, ...(policy !== undefined && { policy }) },
  });
  const isComparable = comparison.comparisons.some(
    ({ comparable, race }) => comparable || race !== undefined,
  );
  return isComparable || named !== undefined ? { gate, comparison } : undefined;
}

export function againstBaselineView({ gate, comparison }: AgainstBaseline, look: Look): string {
  return [gateView(gate, look.paint), '', comparisonView(comparison, look)].join('\n');
}
