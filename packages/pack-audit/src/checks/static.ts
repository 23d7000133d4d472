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

/** The next steps of warnings whose message has the place alone. */
const FIXES: Partial<Readonly<Record<Problem['code'], string>>> = {
  visible_expectation:
    'Remove it from what agents get (`payload`, `inputs`, instructions, files of the workspace). What only graders may read belongs into `expectations` of the case, with `expected_from: case.expectations.KEY`.',
  same_expectation:
    'Add cases that expect something else; or, where one text is right for all, let a validator check more than it (a file, a call, a test).',
  contradicting_cases:
    'Correct the `expectations` of one of the two cases, remove one of them, or give agents in `payload` or `inputs` what decides between them.',
  repeated_case: 'Remove one of the two cases; `--repetitions` of a run repeats all of them.',
};

/** The warnings of the document, and notes about what may be meant. */
export function checkDocument(pack: AuditedPack): CheckOutcome<CheckSummary> {
  const warnings = pack.problems.map(
    ({ code, message, suggestion, field, line, column }): Finding => ({
      ...{ check: 'static', code, severity: ERRORS.has(code) ? 'error' : 'warning', message },
      fix: FIXES[code] ?? fixOf(field, suggestion),
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

function fixOf(field: string, suggestion: string | undefined): string {
  if (suggestion !== undefined) return `Write ${suggestion}, or keep the field where it is meant.`;
  return `Change ${field === '' ? 'the document' : field} by what the message names, or keep it where it is meant.`;
}

function summaryText(all: number, errors: number): string {
  if (all === 0) return 'the document has no warning';
  const count = all === 1 ? '1 warning' : `${all} warnings`;
  return errors === 0
    ? `the document has ${count}`
    : `the document has ${count}, ${errors} of which make verdicts wrong`;
}
