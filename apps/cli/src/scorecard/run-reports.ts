import {
  type Attempt,
  type AuditCertificate,
  differenceInWords,
  isWholeRace,
  laneSpending,
  type PairMeter,
  packErrorLines,
  pairInWords,
  pairMeters,
  type Run,
  type RunAgent,
  raceLine,
  racePromises,
  raceStateOf,
} from '@agentclash/api';
import { isGraded } from '@agentclash/domain';
import { gateMarkdown } from '../comparison/comparison-reports.js';
import type { AgainstBaseline } from '../comparison/gate-view.js';
import type { Ranking } from '../lookup/ranking.js';
import { type JUnitCase, type JUnitOutcome, junitReport } from '../reports/junit.js';
import { markdownTable, plain } from '../reports/markdown.js';
import { estimate, plural } from '../terminal/figures.js';
import { verdictWord } from './grading.js';
import { certificateLine } from './ranking-context.js';
import { variantMarkdown } from './variant-lines.js';

/**
 * A run's attempts as a JUnit suite: what the agent failed is a failure, what others failed an error. A race has a case
 * for its end and one for each pair; what it did not need is skipped. The certificate of the version is a property.
 */
export function runJunit(
  run: Run,
  attempts: readonly Attempt[],
  { agents, audit }: { agents: readonly RunAgent[]; audit: AuditCertificate | null },
): string {
  const cases = attempts.map(
    (attempt): JUnitCase => ({
      classname: attempt.agent_name,
      name: `${attempt.case_key} #${attempt.repetition}`,
      seconds: attempt.latency_ms === null ? undefined : attempt.latency_ms / 1_000,
      outcome: notNeeded(run, attempt) ?? outcomeOf(attempt),
    }),
  );
  const { id, name, pack } = run;
  const suite = `agentclash ${pack.slug} ${name ?? id}`;
  return junitReport(suite, [...raceCases(run, agents), ...cases], {
    pack_audit: certificateLine(run, audit),
  });
}

/** The verdicts of a race: what is not decided is skipped. */
function raceCases(run: Run, agents: readonly RunAgent[]): JUnitCase[] {
  const [end, ...more] = raceSentences(run, agents);
  if (end === undefined) return [];
  const pairs = run.race === undefined ? [] : pairMeters(run.race, agents);
  const outcomeOfPair = (pair: PairMeter): JUnitOutcome => {
    const message = pairSentence(pair);
    const { verdict } = pair;
    if (verdict !== null && verdict !== 'undecided' && verdict !== 'insufficient')
      return { kind: 'passed', note: message };
    return { kind: 'skipped', type: verdict ?? 'undecided', message };
  };
  return [
    { classname: 'race', name: 'end', outcome: { kind: 'passed', note: [end, ...more].join(' ') } },
    ...pairs.map((pair) => ({
      classname: 'race',
      name: `${pair.a.name} against ${pair.b.name}`,
      outcome: outcomeOfPair(pair),
    })),
  ];
}

/** Skipped and cancelled attempts of a race that had ended for them: neither failed nor missing. */
function notNeeded(
  { status, stop_when, stopped }: Run,
  { state, outcome }: Attempt,
): JUnitOutcome | undefined {
  // Attempts that a user cancelled were needed.
  const isCancelled = stop_when !== undefined && status !== 'cancelled' && outcome === 'cancelled';
  if (state !== 'skipped' && !isCancelled) return undefined;
  const type = stopped ?? 'decided';
  const why = type === 'budget' ? 'the budget was used up' : 'the verdicts did not need it';
  return { kind: 'skipped', type, message: `${isCancelled ? 'cancelled' : 'not run'}: ${why}` };
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

/** How a race ended, what it did not run, and what its verdicts promise; none for an ordinary run. */
function raceSentences(run: Run, agents: readonly RunAgent[]): string[] {
  const state = raceStateOf(run, agents.map(laneSpending));
  if (state === undefined) return [];
  const { skipped = 0 } = run.progress;
  return [
    `${run.stopped === undefined ? 'race' : 'stopped'}: ${raceLine(state)}.`,
    ...(skipped === 0 ? [] : [`${plural(skipped, 'attempt')} skipped.`]),
    ...(run.race === undefined ? [] : racePromises(run.race, isWholeRace(run))),
  ];
}

/** `good is better than weak: +0.420 [+0.120, +0.710] after 61 of 500 cases` */
function pairSentence(pair: PairMeter): string {
  const { cases, missing, population } = pair;
  const after = `after ${cases + missing} of ${population + missing} cases`;
  return `${pairInWords(pair)}: ${differenceInWords(pair)} ${after}`;
}

/** The ranking, and what became of the baseline, as a summary for CI. */
export function runMarkdown(
  run: Run,
  { items, variants = [] }: Pick<Ranking, 'items' | 'variants'>,
  {
    agents,
    against,
    audit,
  }: { agents: readonly RunAgent[]; against: AgainstBaseline | undefined; audit: AuditCertificate | null },
): string {
  const { id, name, pack, race } = run;
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
    ...raceSentences(run, agents).flatMap((line) => [plain(line), '']),
    ...(race === undefined
      ? []
      : [...pairMeters(race, agents).map((pair) => `- ${plain(pairSentence(pair))}`), '']),
    ...variantMarkdown(variants),
    rows.length === 0
      ? 'There is no ranking.'
      : markdownTable(['#', 'agent', 'verdict', 'overall', 'pass rate', 'graded'], rows),
    '',
    plain(certificateLine(run, audit)),
    '',
    ...(items.some(isSequence)
      ? [
          'Intervals of agents that stopped early are confidence sequences of the mean of all their cases.',
          '',
        ]
      : []),
    ...packErrorLines(run).flatMap((line) => [`**Pack error:** ${plain(line)}`, '']),
    ...(against === undefined ? [] : [gateMarkdown(against.gate, against.comparison), '']),
  ].join('\n');
}

function isSequence({ overall_estimate }: Ranking['items'][number]): boolean {
  return overall_estimate?.method === 'confidence_sequence';
}
