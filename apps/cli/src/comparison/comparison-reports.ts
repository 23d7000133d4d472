import {
  comparedRaceLine,
  comparedRaceLines,
  type GateDecision,
  gateNotesInWords,
  type LaneComparison,
  measuresOf,
  missingAttemptsLines,
  type RunComparison,
  verdictText,
} from '@agentclash/api';
import { type JUnitCase, type JUnitOutcome, junitReport } from '../reports/junit.js';
import { markdownTable, plain } from '../reports/markdown.js';
import { score } from '../terminal/figures.js';
import { footnotes, laneNames } from './comparison-view.js';
import { type Decided, detectableLines } from './gate-view.js';
import {
  comparisonReasons,
  difference,
  gateReasons,
  isAnyAdjusted,
  probability,
  reasonText,
  unadjusted,
} from './measures.js';

/** The mark of each verdict in Markdown. */
export const MARKS: Readonly<Record<GateDecision['verdict'], string>> = {
  pass: '✅',
  warn: '⚠️',
  fail: '❌',
  insufficient_evidence: '❔',
};

/** A comparison for a summary in CI. */
export function comparisonMarkdown(compared: RunComparison): string {
  return compared.comparisons
    .map((lane) => {
      const names = laneNames(compared, lane);
      const title = `### ${plain(names.candidate)} against ${plain(names.baseline)}`;
      if (!lane.comparable) {
        return [
          title,
          '',
          ...raceParagraphs(lane),
          'Not comparable:',
          ...comparisonReasons(lane).map((reason) => `- ${plain(reason)}`),
          ...missingAttemptsLines(lane).map((line) => `- ${plain(line)}`),
        ].join('\n');
      }
      const isAdjusted = isAnyAdjusted(lane);
      const rows = measuresOf(lane).map(({ name, measure }) => [
        plain(name),
        score(measure.baseline),
        score(measure.candidate),
        difference(measure),
        probability(measure.p_adjusted),
        measure.state === 'available' ? `**${verdictText(measure)}**` : measure.state,
        ...(isAdjusted ? [unadjusted(measure)] : []),
      ]);
      const titles = ['measure', 'baseline', 'candidate', 'difference', 'p', 'verdict'];
      if (isAdjusted) titles.push('unadjusted');
      return [
        title,
        '',
        markdownTable(titles, rows),
        '',
        ...raceParagraphs(lane),
        `${lane.cases} common cases. ${footnotes(compared, lane).map(plain).join('. ')}.`,
      ].join('\n');
    })
    .join('\n\n');
}

function raceParagraphs({ race }: LaneComparison): string[] {
  return race === undefined ? [] : [...comparedRaceLines(race).map((line) => `- ${plain(line)}`), ''];
}

/** A decision with the comparison behind it. */
export function gateMarkdown(decision: Decided, compared: RunComparison): string {
  const { verdict, notes = [], policy, policy_fingerprint: fingerprint } = decision;
  return [
    `## ${MARKS[verdict]} Gate: ${verdict.replaceAll('_', ' ')}`,
    '',
    ...gateReasons(decision).map((line) => `- ${plain(line)}`),
    ...gateNotesInWords(notes).map((note) => `- ${plain(note)}`),
    ...detectableLines(decision).map((line) => `- ${plain(line)}`),
    '',
    comparisonMarkdown(compared),
    '',
    `Policy ${plain(policy.name)} \`${fingerprint.slice(0, 12)}\``,
    '',
  ].join('\n');
}

/** The severity of each kind of reason in a CI system; all other kinds are missing evidence. */
const KINDS: Readonly<Record<string, 'failure' | 'note'>> = {
  candidate_failed: 'failure',
  not_passed: 'failure',
  regression_fail: 'failure',
  regression_warn: 'note',
  within_thresholds: 'note',
};

/** The case of a race that decided, beside those of the evidence and of the dimensions. */
const RACE = 'race';

/** A decision as a suite: one case for the evidence and the candidate, then one per dimension of the policy, or the race. */
export function gateJunit(decision: Decided): string {
  const { policy, agents } = decision;
  const cases =
    agents === undefined
      ? gateCases(decision)
      : agents.flatMap(({ agent, ...finding }) =>
          gateCases({ ...decision, agents: undefined, race: undefined, ...finding }).map((one) => ({
            ...one,
            name: `${agent} / ${one.name}`,
          })),
        );
  return junitReport(`agentclash gate ${policy.name}`, cases);
}

function gateCases(decision: Decided): JUnitCase[] {
  const { policy, reasons, notes = [], detectable = {}, race } = decision;
  const dimensions = [...Object.keys(policy.comparisons ?? {}), ...Object.keys(detectable)];
  // Over a stopped run nothing but the metric of the race is compared.
  const names = new Set(['gate', ...(race === undefined ? dimensions : [RACE])]);
  const cases = new Map<string, string[]>([...names].map((name) => [name, []]));
  for (const reason of [...reasons, ...notes]) {
    const [, ...rest] = reason.split(':');
    const subject = rest.join(':');
    const name = subject === race?.metric ? RACE : subject;
    (cases.get(name) ?? cases.get('gate') ?? []).push(reason);
  }
  return [...cases].map(([name, own]): JUnitCase => {
    const lines = name === RACE && race !== undefined ? [comparedRaceLine(race)] : [];
    if (own.length === 0 && isUncompared(decision, name))
      return { classname: policy.name, name, outcome: UNCOMPARED };
    return { classname: policy.name, name, outcome: outcomeOf(own, { notes: new Set(notes), lines }) };
  });
}

const UNCOMPARED: JUnitOutcome = {
  ...{ kind: 'skipped', type: 'not_compared', message: 'the evidence does not carry a decision' },
};

/** True for a dimension that a gate did not get to, because the evidence as a whole decided. */
function isUncompared({ verdict, detectable }: Decided, name: string): boolean {
  if (verdict !== 'insufficient_evidence' || detectable === undefined || name === 'gate') return false;
  return name !== RACE && !Object.hasOwn(detectable, name);
}

function outcomeOf(
  reasons: readonly string[],
  { notes, lines }: { notes: ReadonlySet<string>; lines: readonly string[] },
): JUnitOutcome {
  const kindOf = (reason: string) =>
    notes.has(reason) ? 'note' : (KINDS[reason.split(':')[0] ?? ''] ?? 'error');
  const message = [...reasons.map(reasonText), ...lines].join('; ');
  const type = reasons.join(' ');
  if (reasons.some((reason) => kindOf(reason) === 'failure')) return { kind: 'failure', type, message };
  if (reasons.some((reason) => kindOf(reason) === 'error')) return { kind: 'error', type, message };
  return message === '' ? { kind: 'passed' } : { kind: 'passed', note: message };
}
