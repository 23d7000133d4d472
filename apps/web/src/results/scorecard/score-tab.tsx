import { routes, type ScorecardReply } from '@agentclash/api';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { Loaded } from '../../data/loaded.js';
import { useRead } from '../../data/use-read.js';
import { Badge } from '../../design/badge.js';
import { formatScore } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { Empty } from '../../design/states.js';
import { type Column, Table } from '../../design/table.js';
import { attemptAddress, type FullAttempt } from '../full-attempt.js';
import { useManifest } from '../use-manifest.js';
import { dimensionParts } from './dimension-parts.js';
import type { AttemptScorecard, IncidentLine } from './read-scorecard.js';
import { ScoreLines } from './score-lines.js';
import { useScorecard } from './use-scorecard.js';

/** All scores of an attempt with their evidence. */
export function ScoreTab({ attempt }: { attempt: FullAttempt }) {
  const { read, card } = useScorecard(attempt.id);
  return (
    <Loaded of={read} what="the scorecard">
      {(reply) => <Card reply={reply} card={card} attempt={attempt} />}
    </Loaded>
  );
}

interface CardProps {
  reply: ScorecardReply;
  card: AttemptScorecard | null;
  attempt: FullAttempt;
}

function Card({ reply: { state, failure, revision }, card, attempt }: CardProps) {
  if (state === 'pending') return <Empty title="Not scored yet" />;
  if (card === null) {
    return <Empty title="No scorecard">{failure && <p>{`${failure.code}: ${failure.message}`}</p>}</Empty>;
  }
  return (
    <>
      <p>
        Overall{' '}
        <strong className="figures">{formatScore(card.validity === 'invalid' ? null : card.overall)}</strong>,{' '}
        {card.reason.replaceAll('_', ' ')}.{' '}
        <Badge tone={card.validity === 'valid' ? 'neutral' : 'warn'}>{card.validity}</Badge>{' '}
        <Badge>{card.strategy}</Badge>{' '}
        {revision !== null && revision > 1 && <Badge>revision {revision}</Badge>}
      </p>
      {card.warnings.map((warning) => (
        <p key={warning}>
          <Badge tone="warn">{warning.replaceAll('_', ' ')}</Badge>
        </p>
      ))}
      <Incidents incidents={card.incidents} attemptId={attempt.id} />
      <Lines card={card} attempt={attempt} />
    </>
  );
}

/** The manifest lists the parts of each dimension; the scores are shown without it too. */
function Lines({ card, attempt: { id, run_id } }: { card: AttemptScorecard; attempt: FullAttempt }) {
  const { data: run } = useRead(routes.runs.get, { params: { run_id } });
  const manifest = useManifest(run);
  const parts = useMemo(() => dimensionParts(card, manifest), [card, manifest]);
  return <ScoreLines card={card} attemptId={id} partsOf={(dimension) => parts.get(dimension) ?? []} />;
}

interface IncidentsProps {
  incidents: readonly IncidentLine[];
  attemptId: string;
}

/** The incidents of a security pack with their evidence. */
function Incidents({ incidents, attemptId }: IncidentsProps) {
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
            <Link to={attemptAddress(attemptId, { tab: 'events', event: String(evidence.to) })}>
              event {evidence.to}
            </Link>
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
        isStacked
      />
    </Panel>
  );
}
