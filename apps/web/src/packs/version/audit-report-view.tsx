import type { AuditFinding, PackAuditDetails } from '@agentclash/api';
import { Badge, type Tone } from '../../design/badge.js';
import { CodeBlock } from '../../design/code-block.js';
import { Table } from '../../design/table.js';
import css from './audit-report-view.module.css';

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

/** The checks of an audit, and its findings with what removes them; notes, which change no result, are folded. */
export function AuditReportView({
  report: { checks, findings, findings_omitted: omitted = 0, options, duration_ms },
}: {
  report: Report;
}) {
  const rows = Object.entries(checks).map(([name, check]): Check => ({ name, ...check }));
  const notes = findings.filter(({ severity }) => severity === 'note');
  const problems = findings.filter(({ severity }) => severity !== 'note');
  return (
    <div className={css.report}>
      <p className={css.minor}>
        {options.cases} of {options.cases_total} cases in {(duration_ms / 1_000).toFixed(1)} s
      </p>
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
      {problems.length > 0 && <Findings label="Findings of the audit" findings={problems} />}
      {notes.length > 0 && (
        <details className={css.notes}>
          <summary>{notes.length === 1 ? '1 note' : `${notes.length} notes`}</summary>
          <Findings label="Notes of the audit" findings={notes} />
        </details>
      )}
      {omitted > 0 && <p>{omitted} findings more are left out.</p>}
    </div>
  );
}

function Findings({ label, findings }: { label: string; findings: readonly AuditFinding[] }) {
  return (
    <ul className={css.findings} aria-label={label}>
      {findings.map((finding) => (
        <li key={JSON.stringify(finding)} className={css.finding}>
          <Finding finding={finding} />
        </li>
      ))}
    </ul>
  );
}

function Finding({ finding }: { finding: AuditFinding }) {
  const { severity, code, message, fix, validators = [], detail } = finding;
  return (
    <>
      <p>
        <Badge tone={SEVERITIES[severity]}>{severity}</Badge> <code>{code}</code>{' '}
        <strong>{subjectOf(finding)}</strong>
      </p>
      <p>{message}</p>
      {validators.length > 0 && <p className={css.minor}>Validators: {validators.join(', ')}</p>}
      {detail !== undefined && <CodeBlock text={detail} label={`Detail of ${code}`} />}
      <p>{fix}</p>
    </>
  );
}

/** The case, the place in the document, or the cheat. */
function subjectOf(finding: AuditFinding): string {
  const { location, case_key, input_set_key, other_case_keys = [], cheat, other_cheats = [] } = finding;
  if (location) return `${location.field} (line ${location.line})`;
  const more = other_case_keys.length > 0 ? ` and ${other_case_keys.length} more` : '';
  const subject = case_key === undefined ? '' : `${input_set_key}/${case_key}${more}`;
  const cheats = other_cheats.length > 0 ? `${cheat} and ${other_cheats.length} more cheats` : cheat;
  return [cheats, subject].filter(Boolean).join(' on ');
}
