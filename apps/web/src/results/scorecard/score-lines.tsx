import { Link } from 'wouter';
import { Badge } from '../../design/badge.js';
import { formatScore, NOTHING } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import { rawText } from '../ranking/dimensions.js';
import type { AttemptScorecard, Part, ScoreLine } from './read-scorecard.js';

const TITLES: Record<Part, string> = {
  dimensions: 'Dimensions',
  validators: 'Validators',
  judges: 'Judges',
  metrics: 'Metrics',
};
const PARTS = Object.keys(TITLES) as Part[];
const USUAL: ReadonlySet<string> = new Set(['scored', 'available']);

/** Every number of an attempt's scorecard; each opens the events that earned it. */
export function ScoreLines({ card, attemptId }: { card: AttemptScorecard; attemptId: string }) {
  const columns: readonly Column<ScoreLine>[] = [
    {
      key: 'key',
      title: 'Key',
      cell: ({ key, isGate }) => (
        <>
          {key} {isGate && <Badge tone="warn">gate</Badge>}
        </>
      ),
    },
    { key: 'kind', title: 'Kind', cell: ({ kind }) => <code>{kind || NOTHING}</code> },
    {
      key: 'verdict',
      title: 'Verdict',
      cell: ({ verdict, state }) => (
        <>
          {verdict !== '' && <Badge tone={verdict === 'pass' ? 'good' : 'bad'}>{verdict}</Badge>}
          {!USUAL.has(state) && <Badge tone="warn">{state}</Badge>}
        </>
      ),
    },
    { key: 'score', title: 'Score', isFigure: true, cell: ({ score }) => formatScore(score) },
    {
      key: 'measured',
      title: 'Measured',
      isFigure: true,
      cell: ({ measured }) => (measured === null ? NOTHING : rawText(measured)),
    },
    { key: 'reason', title: 'Why', isMinor: true, cell: ({ reason }) => reason.replaceAll('_', ' ') },
    {
      key: 'evidence',
      title: 'Evidence',
      cell: ({ evidence, key }) =>
        evidence === null ? (
          NOTHING
        ) : (
          <Link to={`/attempts/${attemptId}?event=${evidence.to}`}>
            {evidence.from === evidence.to
              ? `event ${evidence.to}`
              : `events ${evidence.from} to ${evidence.to}`}
            <span className="heard">, evidence of {key}</span>
          </Link>
        ),
    },
  ];
  const shown = PARTS.filter((part) => card.parts[part].length > 0);
  return (
    <>
      {shown.map((part) => (
        <Panel key={part} title={TITLES[part]} isFlush>
          <Table label={TITLES[part]} columns={columns} rows={card.parts[part]} keyOf={({ key }) => key} />
        </Panel>
      ))}
    </>
  );
}
