import { comparedSentence, expectedPhrase, isEquality } from '@agentclash/api';
import { Link } from 'wouter';
import { Badge } from '../../design/badge.js';
import { formatCount } from '../../design/format.js';
import { Panel } from '../../design/panel.js';
import { DiffText } from '../diff/diff-text.js';
import { attemptAddress, type FullAttempt } from '../full-attempt.js';
import sides from '../sides.module.css';
import { verdictOf } from '../verdict.js';
import type { AttemptScorecard, ComparedLine, ScoreLine } from './read-scorecard.js';
import { anchorOf } from './score-lines.js';
import css from './scorecard.module.css';
import { useScorecard } from './use-scorecard.js';

/** Why an attempt did not pass: each validator and judge that failed, in a sentence with what it compared. */
export function FailedChecks({ attempt }: { attempt: FullAttempt }) {
  const { card } = useScorecard(attempt.id);
  if (card === null || card.validity === 'invalid') return null;
  const failed = failedChecks(card);
  if (failed.length === 0) return <NoFailedCheck attempt={attempt} card={card} />;
  return (
    <Panel title={`Failed checks (${formatCount(failed.length)})`}>
      <ul className={css.list}>
        {failed.map(({ part, line, compared }) => (
          <li key={`${part} ${line.key}`}>
            <Link to={`${attemptAddress(attempt.id, { tab: 'scores' })}#${anchorOf(part, line.key)}`}>
              {line.key}
            </Link>{' '}
            <Badge>{line.kind}</Badge>{' '}
            <span className={css.reason}>
              {[line.reason.replaceAll('_', ' '), line.detail].filter(Boolean).join(': ')}
            </span>
            {compared && <ComparedSides line={compared} />}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface FailedCheck {
  part: 'validators' | 'judges';
  line: ScoreLine;
  compared: ComparedLine | undefined;
}

/** The validators and judges of a scorecard that did not pass. */
export function failedChecks({ parts, comparisons }: AttemptScorecard): FailedCheck[] {
  return (['validators', 'judges'] as const).flatMap((part) =>
    parts[part]
      .filter(({ verdict, state }) => verdict === 'fail' || state === 'error')
      .map((line) => ({
        ...{ part, line },
        compared: part === 'validators' ? comparisons.find(({ key }) => key === line.key) : undefined,
      })),
  );
}

/** An attempt may fail by a threshold or a limit, though each check has passed. */
function NoFailedCheck({ attempt, card }: { attempt: FullAttempt; card: AttemptScorecard }) {
  const checks = card.parts.validators.length + card.parts.judges.length;
  const passed = checks === 0 ? '' : `All ${formatCount(checks)} checks passed`;
  const why = verdictOf(attempt) === 'passed' ? '' : card.reason.replaceAll('_', ' ');
  const text = [passed, why].filter(Boolean).join('; ');
  return text === '' ? null : <p className={css.reason}>{text}</p>;
}

/** The text that a validator expected and the one it got: as a sentence, as a diff, or one below the other. */
export function ComparedSides({ line: { key, kind, compared } }: { line: ComparedLine }) {
  const { expected, actual } = compared;
  const sentence = comparedSentence(kind, compared);
  if (sentence !== undefined) return <p className={css.sentence}>{sentence}</p>;
  if (expected !== null && actual !== null && isEquality(kind)) {
    return (
      <>
        <p className={css.reason}>
          <del>Expected</del> and <ins>got</ins>
        </p>
        <DiffText left={expected.text} right={actual.text} label={`difference of ${key}`} />
        <Part side={actual} />
      </>
    );
  }
  return (
    <dl className={sides.sides}>
      <dt>{capitalized(expectedPhrase(kind))}</dt>
      <dd>
        <Side side={expected} />
      </dd>
      <dt>Got</dt>
      <dd>
        <Side side={actual} />
      </dd>
    </dl>
  );
}

type SideText = ComparedLine['compared']['actual'];

function Side({ side }: { side: SideText }) {
  if (side === null) return <em>nothing</em>;
  const { text, from = 0, length = text.length } = side;
  return (
    <>
      <pre className={css.text}>
        {from > 0 && '…'}
        {text}
        {from + text.length < length && '…'}
      </pre>
      <Part side={side} />
    </>
  );
}

/** Which part of a long text is shown. */
function Part({ side }: { side: NonNullable<SideText> }) {
  const { text, from = 0, length = text.length } = side;
  if (text.length >= length) return null;
  return (
    <small>
      Characters {formatCount(from + 1)} to {formatCount(from + text.length)} of {formatCount(length)}
    </small>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
