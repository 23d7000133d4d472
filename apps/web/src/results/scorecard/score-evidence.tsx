import { Link } from 'wouter';
import type { DimensionPart } from './dimension-parts.js';
import type { Part, ScoreLine } from './read-scorecard.js';
import css from './scorecard.module.css';

interface ScoreEvidenceProps {
  part: Part;
  line: ScoreLine;
  attemptId: string;
  /** The lines that a dimension is computed from. */
  madeOf: readonly DimensionPart[];
}

/** Links a score to its evidence: its events, or the lines it is computed from. */
export function ScoreEvidence({ part, line: { key, evidence }, attemptId, madeOf }: ScoreEvidenceProps) {
  const replay = `/attempts/${attemptId}`;
  const hiddenLabel = <span className="visually-hidden">, evidence of {key}</span>;
  if (evidence !== null) {
    const { from, to } = evidence;
    return (
      <Link to={`${replay}?event=${to}`}>
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
    <Link to={isGrading ? `${replay}?kind=grading` : replay}>
      {isGrading ? 'grading' : 'whole attempt'}
      {hiddenLabel}
    </Link>
  );
}

/** Element id of a line of a scorecard. */
export function anchorOf(part: Part, key: string): string {
  return `${part}-${encodeURIComponent(key)}`;
}
