import {
  type GateDecision,
  measuresOf,
  missingAttemptsLines,
  type RunComparison,
  verdictText,
} from '@agentclash/api';
import { type JUnitCase, type JUnitOutcome, junitReport } from '../reports/junit.js';
import { markdownTable, plain } from '../reports/markdown.js';
import { score } from '../terminal/figures.js';
import { footnotes, laneNames } from './comparison-view.js';
import { type Decided, detectableLines, noteText } from './gate-view.js';
import { difference, gateReasons, probability, reasonText } from './measures.js';

const MARKS: Readonly<Record<GateDecision['verdict'], string>> = {
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
          'Not comparable:',
          ...lane.reasons.map((reason) => `- ${plain(reasonText(reason))}`),
          ...missingAttemptsLines(lane).map((line) => `- ${plain(line)}`),
        ].join('\n');
      }
      const rows = measuresOf(lane).map(({ name, measure }) => [
        plain(name),
        score(measure.baseline),
        score(measure.candidate),
        difference(measure),
        probability(measure.p_adjusted),
        measure.state === 'available' ? `**${verdictText(measure)}**` : measure.state,
      ]);
      const titles = ['measure', 'baseline', 'candidate', 'difference', 'p', 'verdict'];
      return [
        title,
        '',
        markdownTable(titles, rows),
        '',
        `${lane.cases} common cases. ${footnotes(compared, lane).map(plain).join('. ')}.`,
      ].join('\n');
    })
    .join('\n\n');
}

/** A decision with the comparison behind it. */
export function gateMarkdown(decision: Decided, compared: RunComparison): string {
  const { verdict, notes = [], policy, policy_fingerprint: fingerprint } = decision;
  return [
    `## ${MARKS[verdict]} Gate: ${verdict.replaceAll('_', ' ')}`,
    '',
    ...gateReasons(decision).map((line) => `- ${plain(line)}`),
    ...notes.map((note) => `- ${plain(noteText(note))}`),
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

/** A decision as a suite: one case for the evidence, one for the candidate, one per dimension of the policy. */
export function gateJunit(decision: GateDecision): string {
  const { policy, reasons, notes = [], detectable = {} } = decision;
  const dimensions = [...new Set([...Object.keys(policy.comparisons ?? {}), ...Object.keys(detectable)])];
  const cases = new Map<string, string[]>(['gate', ...dimensions].map((name) => [name, []]));
  for (const reason of [...reasons, ...notes]) {
    const [, ...rest] = reason.split(':');
    const name = rest.join(':');
    (cases.get(name) ?? cases.get('gate') ?? []).push(reason);
  }
  const all = [...cases].map(
    ([name, own]): JUnitCase => ({ classname: policy.name, name, outcome: outcomeOf(own, new Set(notes)) }),
  );
  return junitReport(`agentclash gate ${policy.name}`, all);
}

function outcomeOf(reasons: readonly string[], notes: ReadonlySet<string>): JUnitOutcome {
  const kindOf = (reason: string) =>
    notes.has(reason) ? 'note' : (KINDS[reason.split(':')[0] ?? ''] ?? 'error');
  const message = reasons.map(reasonText).join('; ');
  const type = reasons.join(' ');
  if (reasons.some((reason) => kindOf(reason) === 'failure')) return { kind: 'failure', type, message };
  if (reasons.some((reason) => kindOf(reason) === 'error')) return { kind: 'error', type, message };
  return reasons.length === 0 ? { kind: 'passed' } : { kind: 'passed', note: message };
}
