import { comparedSentence, expectedPhrase, firstDifference, isEquality } from '@agentclash/api';
import { formatCount } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import sides from '../sides.module.css';
import type { ComparedLine } from './read-scorecard.js';
import { anchorOf } from './score-lines.js';
import css from './scorecard.module.css';

/** Expected and actual values of each failed validator. */
export function Comparisons({ lines }: { lines: readonly ComparedLine[] }) {
  if (lines.length === 0) return null;
  return (
    <Panel title="Expected and got">
      <ul className={css.list}>
        {lines.map((line) => (
          <li key={line.key}>
            <a href={`#${anchorOf('validators', line.key)}`}>{line.key}</a>{' '}
            <span className={css.reason}>{line.reason.replaceAll('_', ' ')}</span>
            <Sides line={line} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Sides({ line: { kind, compared } }: { line: ComparedLine }) {
  const { expected, actual } = compared;
  const sentence = comparedSentence(kind, compared);
  if (sentence !== undefined) return <p className={css.sentence}>{sentence}</p>;
  const at =
    expected !== null && actual !== null && isEquality(kind)
      ? firstDifference(expected.text, actual.text)
      : undefined;
  return (
    <dl className={sides.sides}>
      <dt>{capitalized(expectedPhrase(kind))}</dt>
      <dd>
        <Side side={expected} at={at} />
      </dd>
      <dt>Got</dt>
      <dd>
        <Side side={actual} at={at} />
      </dd>
    </dl>
  );
}

interface SideProps {
  side: ComparedLine['compared']['actual'];
  /** Where the sides begin to differ. */
  at: number | undefined;
}

function Side({ side, at }: SideProps) {
  if (side === null) return <em>nothing</em>;
  const { text, from = 0, length = text.length } = side;
  const end = from + text.length;
  return (
    <>
      <pre className={css.text}>
        {from > 0 && '…'}
        {text.slice(0, at)}
        {at !== undefined && at < text.length && <mark>{text.slice(at)}</mark>}
        {end < length && '…'}
      </pre>
      {text.length < length && (
        <small>
          Characters {formatCount(from + 1)} to {formatCount(end)} of {formatCount(length)}
        </small>
      )}
    </>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
