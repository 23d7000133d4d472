import { type GateDecision, missingAttemptsLines, type RunComparison } from '@agentclash/api';
import { markdownTable, plain } from '../reports/markdown.js';
import { score } from '../terminal/figures.js';
import { footnotes, laneNames } from './comparison-view.js';
import { type Decided, detectableLines, noteText } from './gate-view.js';
import { difference, measuresOf, probability, reasonText, verdictText } from './measures.js';

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
  const { verdict, reasons, notes = [], policy, policy_fingerprint: fingerprint } = decision;
  return [
    `## ${MARKS[verdict]} Gate: ${verdict.replaceAll('_', ' ')}`,
    '',
    ...reasons.map((reason) => `- ${plain(reasonText(reason))}`),
    ...notes.map((note) => `- ${plain(noteText(note))}`),
    ...detectableLines(decision).map((line) => `- ${plain(line)}`),
    '',
    comparisonMarkdown(compared),
    '',
    `Policy ${plain(policy.name)} \`${fingerprint.slice(0, 12)}\``,
    '',
  ].join('\n');
}
