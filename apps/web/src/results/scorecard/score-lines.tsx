import { Badge } from '../../design/badge.js';
import { formatScore, NOTHING } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import { rawText } from '../ranking/dimensions.js';
import type { DimensionPart } from './dimension-parts.js';
import type { AttemptScorecard, Part, ScoreLine } from './read-scorecard.js';
import { anchorOf, ScoreEvidence } from './score-evidence.js';

const TITLES: Record<Part, string> = {
  dimensions: 'Dimensions',
  validators: 'Validators',
  judges: 'Judges',
  metrics: 'Metrics',
};
const PARTS = Object.keys(TITLES) as Part[];
const USUAL: ReadonlySet<string> = new Set(['scored', 'available']);

interface ScoreLinesProps {
  card: AttemptScorecard;
  attemptId: string;
  /** The lines that a dimension is made of. */
  partsOf: (dimension: string) => readonly DimensionPart[];
}

/** All lines of an attempt's scorecard with links to their evidence. */
export function ScoreLines({ card, attemptId, partsOf }: ScoreLinesProps) {
  const columnsOf = (part: Part): readonly Column<ScoreLine>[] => [
    {
      key: 'key',
      title: 'Key',
      cell: ({ key, isGate }) => (
        <>
          {key} {isGate && <Badge tone="warn">gate</Badge>}
        </>
      ),
    },
    { key: 'kind', title: 'Kind', isMinor: true, cell: ({ kind }) => <code>{kind || NOTHING}</code> },
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
      isMinor: true,
      cell: ({ measured }) => (measured === null ? NOTHING : rawText(measured)),
    },
    { key: 'reason', title: 'Reason', isMinor: true, cell: ({ reason }) => reason.replaceAll('_', ' ') },
    {
      key: 'evidence',
      title: 'Evidence',
      cell: (line) => (
        <ScoreEvidence
          part={part}
          line={line}
          attemptId={attemptId}
          madeOf={part === 'dimensions' ? partsOf(line.key) : []}
        />
      ),
    },
  ];
  const shown = PARTS.filter((part) => card.parts[part].length > 0);
  return (
    <>
      {shown.map((part) => (
        <Panel key={part} title={TITLES[part]} isFlush>
          <Table
            label={TITLES[part]}
            columns={columnsOf(part)}
            rows={card.parts[part]}
            keyOf={({ key }) => key}
            anchorOf={({ key }) => anchorOf(part, key)}
          />
        </Panel>
      ))}
    </>
  );
}
