import { Link } from 'wouter';
import type { DimensionPart } from './dimension-parts.js';
import type { Part, ScoreLine } from './read-scorecard.js';
import css from './scorecard.module.css';

interface ScoreEvidenceProps {
  part: Part;
  line: ScoreLine;
  attemptId: string;
  /** Of a dimension: the lines that it is made of. */
  madeOf: readonly DimensionPart[];
}

/** Opens what earned a number: the events behind it, or the lines that it is made of. */
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
  // What was measured over all of the attempt has all of its events behind it.
  const isGrading = part === 'validators' || part === 'judges';
  return (
    <Link to={isGrading ? `${replay}?kind=grading` : replay}>
      {isGrading ? 'its grading' : 'the whole attempt'}
      {hiddenLabel}
    </Link>
  );
}

/** Where a line of a scorecard stands on the page. */
export function anchorOf(part: Part, key: string): string {
  return `${part}-${encodeURIComponent(key)}`;
}
