import type { AuditedPack } from '../pack/audited-pack.js';
import type { CheckSummary, Finding } from '../report/report.js';
import type { CheckOutcome } from './context.js';

/** The warnings of the document: what publishing takes, and what an audit should not. */
export function checkDocument({ problems }: AuditedPack): CheckOutcome<CheckSummary> {
  const findings = problems.map(
    ({ code, message, suggestion, field, line, column }): Finding => ({
      ...{ check: 'static', code, severity: 'warning', message },
      fix: suggestion ?? 'Change the field, or keep it where it is meant.',
      location: { field, line, column },
    }),
  );
  return {
    findings,
    summary: {
      state: 'passed',
      trials: 0,
      summary:
        findings.length === 0
          ? 'the document has no warning'
          : `the document has ${findings.length} warnings`,
    },
  };
}
