import type { Problem } from '@agentclash/challengepack';
import type { AuditedPack } from '../pack/audited-pack.js';
import type { CheckSummary, Finding } from '../report/report.js';
import type { CheckOutcome } from './context.js';
import { noteObjects } from './deciding-objects.js';
import { noteExpectedTexts } from './expected-texts.js';

/** Warnings of publishing by which a verdict can be wrong: an audit takes none of them. */
const ERRORS: ReadonlySet<Problem['code']> = new Set<Problem['code']>([
  'visible_expectation',
  'same_expectation',
  'contradicting_cases',
]);

/** The warnings of the document, and notes about what may be meant. */
export function checkDocument(pack: AuditedPack): CheckOutcome<CheckSummary> {
  const warnings = pack.problems.map(
    ({ code, message, suggestion, field, line, column }): Finding => ({
      ...{ check: 'static', code, severity: ERRORS.has(code) ? 'error' : 'warning', message },
      fix: suggestion ?? 'Change the field, or keep it where it is meant.',
      location: { field, line, column },
    }),
  );
  const errors = warnings.filter(({ severity }) => severity === 'error').length;
  return {
    findings: [...warnings, ...noteExpectedTexts(pack), ...noteObjects(pack)],
    summary: {
      state: errors > 0 ? 'failed' : 'passed',
      trials: 0,
      summary: summaryText(warnings.length, errors),
    },
  };
}

function summaryText(all: number, errors: number): string {
  if (all === 0) return 'the document has no warning';
  const count = all === 1 ? '1 warning' : `${all} warnings`;
  return errors === 0
    ? `the document has ${count}`
    : `the document has ${count}, ${errors} of which make verdicts wrong`;
}
