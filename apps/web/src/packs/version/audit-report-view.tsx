import type { AuditFinding, PackAuditDetails } from '@agentclash/api';
import { Badge, type Tone } from '../../design/badge.js';
import { CodeBlock } from '../../design/code-block.js';
import { Table } from '../../design/table.js';

type Report = NonNullable<PackAuditDetails['report']>;
type Check = Report['checks'][keyof Report['checks']] & { name: string };

const STATES: Record<Check['state'], Tone> = {
  passed: 'good',
  failed: 'bad',
  incomplete: 'warn',
  skipped: 'neutral',
};
const SEVERITIES: Record<AuditFinding['severity'], Tone> = {
  error: 'bad',
  missing: 'warn',
  warning: 'warn',
  note: 'neutral',
};

/** The checks of an audit, and its findings with what removes them. */
export function AuditReportView({
  report: { checks, findings, findings_omitted: omitted = 0 },
}: {
  report: Report;
}) {
  const rows = Object.entries(checks).map(([name, check]): Check => ({ name, ...check }));
  return (
    <>
      <Table
        label="Checks of the audit"
        rows={rows}
        keyOf={({ name }) => name}
        columns={[
          { key: 'check', title: 'Check', cell: ({ name }) => name },
          { key: 'state', title: 'State', cell: ({ state }) => <Badge tone={STATES[state]}>{state}</Badge> },
          { key: 'trials', title: 'Trials', isFigure: true, isMinor: true, cell: ({ trials }) => trials },
          { key: 'summary', title: 'Result', cell: ({ summary }) => summary },
        ]}
      />
      {findings.length > 0 && (
        <ul aria-label="Findings of the audit">
          {findings.map((finding) => (
            <li key={JSON.stringify(finding)}>
              <Finding finding={finding} />
            </li>
          ))}
        </ul>
      )}
      {omitted > 0 && <p>{omitted} findings more are left out.</p>}
    </>
  );
}

function Finding({ finding }: { finding: AuditFinding }) {
  const { severity, code, message, fix, validators = [], detail } = finding;
  return (
    <>
      <p>
        <Badge tone={SEVERITIES[severity]}>{severity}</Badge> <code>{code}</code> {subjectOf(finding)}{' '}
        {message}
      </p>
      {validators.length > 0 && <p>Validators: {validators.join(', ')}</p>}
      <p>{fix}</p>
      {detail !== undefined && <CodeBlock text={detail} label={`Detail of ${code}`} />}
    </>
  );
}

/** The case, the place in the document, or the cheat. */
function subjectOf({ location, case_key, input_set_key, other_case_keys = [], cheat }: AuditFinding): string {
  if (location) return `${location.field} (line ${location.line})`;
  const more = other_case_keys.length > 0 ? ` and ${other_case_keys.length} more` : '';
  const subject = case_key === undefined ? '' : `${input_set_key}/${case_key}${more}`;
  return [cheat, subject].filter(Boolean).join(' on ');
}
