import { type Attempt, packErrorLines, type Run } from '@agentclash/api';
import { isGraded } from '@agentclash/domain';
import { gateMarkdown } from '../comparison/comparison-reports.js';
import type { AgainstBaseline } from '../comparison/gate-view.js';
import type { Ranking } from '../lookup/ranking.js';
import { type JUnitCase, type JUnitOutcome, junitReport } from '../reports/junit.js';
import { markdownTable, plain } from '../reports/markdown.js';
import { estimate } from '../terminal/figures.js';
import { verdictWord } from './grading.js';
import { variantMarkdown } from './variant-lines.js';

/** A run's attempts as a JUnit suite: what the agent failed is a failure, what others failed an error. */
export function runJunit({ id, name, pack }: Run, attempts: readonly Attempt[]): string {
  const cases = attempts.map(
    (attempt): JUnitCase => ({
      classname: attempt.agent_name,
      name: `${attempt.case_key} #${attempt.repetition}`,
      seconds: attempt.latency_ms === null ? undefined : attempt.latency_ms / 1_000,
      outcome: outcomeOf(attempt),
    }),
  );
  return junitReport(`agentclash ${pack.slug} ${name ?? id}`, cases);
}

function outcomeOf(attempt: Attempt): JUnitOutcome {
  const { outcome, error, passed, overall, validity, is_scored, pack_error: broken } = attempt;
  if (!is_scored || outcome === null) return { kind: 'skipped', type: 'not_scored', message: 'not scored' };
  if (!isGraded(outcome) || validity === 'invalid') {
    const invalid = broken === undefined ? 'invalid_scorecard' : 'pack_error';
    const type = error?.code ?? (isGraded(outcome) ? invalid : outcome);
    const message = error?.message ?? broken?.message ?? 'there is no usable scorecard';
    return { kind: 'error', type, message };
  }
  if (passed === null) return { kind: 'skipped', type: 'no_verdict', message: 'no pass threshold' };
  const note = `overall ${overall ?? 'unknown'}`;
  return passed ? { kind: 'passed', note } : { kind: 'failure', type: outcome, message: note };
}

/** The ranking, and what became of the baseline, as a summary for CI. */
export function runMarkdown(
  run: Run,
  { items, variants = [] }: Pick<Ranking, 'items' | 'variants'>,
  against: AgainstBaseline | undefined,
): string {
  const { id, name, pack } = run;
  const rows = items.map((row) => [
    row.rank === null ? '-' : String(row.rank),
    plain(row.name),
    verdictWord(row.passed),
    estimate(row.overall, row.overall_estimate?.interval ?? null),
    estimate(row.pass_rate?.mean ?? null, row.pass_rate?.interval ?? null),
    `${row.usable_attempts ?? '-'}/${row.planned_attempts ?? '-'}`,
  ]);
  return [
    `# ${plain(pack.slug)} v${pack.version_number}: ${plain(name ?? id)}`,
    '',
    ...variantMarkdown(variants),
    rows.length === 0
      ? 'There is no ranking.'
      : markdownTable(['#', 'agent', 'verdict', 'overall', 'pass rate', 'graded'], rows),
    '',
    ...packErrorLines(run).flatMap((line) => [`**Pack error:** ${plain(line)}`, '']),
    ...(against === undefined ? [] : [gateMarkdown(against.gate, against.comparison), '']),
  ].join('\n');
}
