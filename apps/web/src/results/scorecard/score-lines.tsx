import { Link } from 'wouter';
import { Badge } from '../../design/badge.js';
import { formatScore, NOTHING } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { type Column, Table } from '../../design/table.js';
import { attemptAddress } from '../full-attempt.js';
import { rawText } from '../ranking/ranking-table.js';
import type { DimensionPart } from './dimension-parts.js';
import type { AttemptScorecard, Part, ScoreLine } from './read-scorecard.js';
import css from './scorecard.module.css';

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
    {
      key: 'reason',
      title: 'Reason',
      isMinor: true,
      cell: ({ reason, detail }) =>
        [reason.replaceAll('_', ' '), detail].filter((text) => text !== '').join(': '),
    },
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

interface ScoreEvidenceProps {
  part: Part;
  line: ScoreLine;
  attemptId: string;
  /** The lines that a dimension is computed from. */
  madeOf: readonly DimensionPart[];
}

/** Links a score to its evidence: its events, or the lines it is computed from. */
function ScoreEvidence({ part, line: { key, evidence }, attemptId, madeOf }: ScoreEvidenceProps) {
  const events = (view: Readonly<Record<string, string>> = {}) =>
    attemptAddress(attemptId, { tab: 'events', ...view });
  const hiddenLabel = <span className="visually-hidden">, evidence of {key}</span>;
  if (evidence !== null) {
    const { from, to } = evidence;
    return (
      <Link to={events({ event: String(to) })}>
        {from === to ? `event ${to}` : `events ${from} to ${to}`}
        {hiddenLabel}
      </Link>
    );
  }
  if (madeOf.length > 0) {
    return (
      <ul className={css.parts}>
        {madeOf.map((made) => (
          <li key={`${made.part} ${made.key}`}>
            <a href={`#${anchorOf(made.part, made.key)}`}>{made.key}</a>
          </li>
        ))}
      </ul>
    );
  }
  // A metric of the whole attempt has all of its events as evidence.
  const isGrading = part === 'validators' || part === 'judges';
  return (
    <Link to={events(isGrading ? { kind: 'grading' } : {})}>
      {isGrading ? 'grading' : 'whole attempt'}
      {hiddenLabel}
    </Link>
  );
}

/** Element id of a line of a scorecard. */
export function anchorOf(part: Part, key: string): string {
  return `${part}-${encodeURIComponent(key)}`;
}
