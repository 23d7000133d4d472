import type { AuditFinding, AuditReport } from '@agentclash/contracts';

/** Half of what one message holds, and of what a browser should load. */
const FINDINGS_CHARACTERS_MAX = 2 * 1_048_576;
const DETAIL_CHARACTERS_MAX = 8_192;
const SEVERITIES = ['error', 'missing', 'warning', 'note'] as const;

/** The report with as many findings as are kept, the gravest first where some are left out. */
export function boundedReport(report: AuditReport): AuditReport {
  const findings = report.findings.map(withShortDetail);
  if (sizeOf(findings) <= FINDINGS_CHARACTERS_MAX) return { ...report, findings };
  const gravest = SEVERITIES.flatMap((wanted) => findings.filter(({ severity }) => severity === wanted));
  const kept: AuditFinding[] = [];
  let characters = 0;
  for (const finding of gravest) {
    characters += sizeOf(finding);
    if (characters > FINDINGS_CHARACTERS_MAX) break;
    kept.push(finding);
  }
  return { ...report, findings: kept, findings_omitted: findings.length - kept.length };
}

function withShortDetail(finding: AuditFinding): AuditFinding {
  const { detail } = finding;
  if (detail === undefined || detail.length <= DETAIL_CHARACTERS_MAX) return finding;
  return { ...finding, detail: `${detail.slice(0, DETAIL_CHARACTERS_MAX)}\n… (shortened)` };
}

function sizeOf(value: unknown): number {
  return JSON.stringify(value).length;
}
