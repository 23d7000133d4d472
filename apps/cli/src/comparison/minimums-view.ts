import { reasonInWords } from '@agentclash/api';
import type { GateVerdict } from '@agentclash/domain';
import { type JUnitCase, type JUnitOutcome, junitReport } from '../reports/junit.js';
import { markdownTable, plain } from '../reports/markdown.js';
import { estimate, score } from '../terminal/figures.js';
import type { Paint } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { MARKS } from './comparison-reports.js';
import { verdictText } from './gate-view.js';

type MinimumsResult = import('@agentclash/run-scoring').MinimumsResult;

/** A decision by minimums, with the lane that it is on. */
export interface MinimumsDecision extends MinimumsResult {
  verdict: GateVerdict;
  candidate_run_id: string;
  run_agent_id: string;
  agent: string;
}

/** The decision in a line, its reasons below, then what was found. */
export function minimumsView({ verdict, agent, reasons, measures }: MinimumsDecision, paint: Paint): string {
  return [
    `gate  ${verdictText(verdict, paint)}  ${paint.dim(`${oneLine(agent)} by minimums`)}`,
    ...reasons.map((reason) => `  ${oneLine(reasonInWords(reason))}`),
    ...Object.entries(measures).map(([key, { min, mean, interval }]) =>
      paint.dim(`  ${oneLine(key)} ${estimate(mean, interval)}, at least ${score(min)}`),
    ),
  ].join('\n');
}

export function minimumsMarkdown({ verdict, agent, reasons, measures }: MinimumsDecision): string {
  const rows = Object.entries(measures).map(([key, { min, mean, interval }]) => [
    plain(key),
    estimate(mean, interval),
    score(min),
  ]);
  return [
    `## ${MARKS[verdict]} Gate: ${verdict.replaceAll('_', ' ')}`,
    '',
    ...reasons.map((reason) => `- ${plain(reasonInWords(reason))}`),
    '',
    `${plain(agent)}, by minimums`,
    '',
    markdownTable(['measure', 'score', 'at least'], rows),
    '',
  ].join('\n');
}

/** A decision as a suite: one case for the evidence, then one per minimum. */
export function minimumsJunit({ agent, reasons, measures }: MinimumsDecision): string {
  const subjectOf = (reason: string) => reason.split(':').slice(1).join(':');
  const isGap = reasons.some((reason) => !Object.hasOwn(measures, subjectOf(reason)));
  const names = Object.keys(measures);
  const cases = ['gate', ...names].map((name): JUnitCase => {
    const own = reasons.filter((reason) =>
      name === 'gate' ? !Object.hasOwn(measures, subjectOf(reason)) : subjectOf(reason) === name,
    );
    return { classname: agent, name, outcome: outcomeOf(own, isGap && !isMet(reasons) && name !== 'gate') };
  });
  return junitReport('agentclash gate minimums', cases);
}

const isMet = (reasons: readonly string[]) => reasons.includes('minimums_met');

function outcomeOf(reasons: readonly string[], isUndecided: boolean): JUnitOutcome {
  if (isUndecided) {
    return { kind: 'skipped', type: 'not_compared', message: 'the evidence does not carry a decision' };
  }
  const message = reasons.map((reason) => reasonInWords(reason)).join('; ');
  if (reasons.length === 0) return { kind: 'passed' };
  if (isMet(reasons)) return { kind: 'passed', note: message };
  const kind = reasons.some((reason) => reason.startsWith('below_minimum:')) ? 'failure' : 'error';
  return { kind, type: reasons.join(' '), message };
}
