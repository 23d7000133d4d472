import { Link } from 'wouter';
import { Badge } from '../../design/badge.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import type { IncidentLine } from './read-scorecard.js';

interface IncidentsProps {
  incidents: readonly IncidentLine[];
  attemptId: string;
}

/** The incidents of a security pack with their evidence. */
export function Incidents({ incidents, attemptId }: IncidentsProps) {
  if (incidents.length === 0) return null;
  const columns: readonly Column<IncidentLine>[] = [
    {
      key: 'kind',
      title: 'Incident',
      cell: ({ kind }) => <Badge tone="bad">{kind.replaceAll('_', ' ')}</Badge>,
    },
    { key: 'name', title: 'Name', cell: ({ name }) => name },
    { key: 'severity', title: 'Severity', cell: ({ severity }) => severity },
    {
      key: 'evidence',
      title: 'Evidence',
      cell: ({ evidence, file }) => (
        <>
          {evidence === null && file === null && 'task or workspace'}
          {evidence !== null && (
            <Link to={`/attempts/${attemptId}?event=${evidence.to}`}>event {evidence.to}</Link>
          )}
          {evidence !== null && file !== null && ', '}
          {file !== null && <code>{file}</code>}
        </>
      ),
    },
  ];
  return (
    <Panel title="Security incidents" isFlush>
      <Table
        label="Security incidents"
        columns={columns}
        rows={incidents}
        keyOf={({ kind, name }) => `${kind} ${name}`}
      />
    </Panel>
  );
}
