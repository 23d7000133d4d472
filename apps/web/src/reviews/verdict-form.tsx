import type { ReviewItem, ReviewSpec } from '@agentclash/api';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../design/button.js';
import { TextArea, TextField } from '../design/field.js';
import { isDialogOpen, isTyping } from '../navigation/key-targets.js';
import css from './review.module.css';

export type Verdict = Pick<ReviewSpec, 'vote' | 'label' | 'scores' | 'note'>;

interface Choice {
  key: string;
  name: string;
  verdict: Verdict;
}

const OF_PAIRS: readonly Choice[] = [
  { key: '1', name: 'Left is better', verdict: { vote: 'left' } },
  { key: '0', name: 'Tie', verdict: { vote: 'tie' } },
  { key: '2', name: 'Right is better', verdict: { vote: 'right' } },
];
const OF_SINGLES: readonly Choice[] = [
  { key: '1', name: 'Pass', verdict: { label: 'pass' } },
  { key: '2', name: 'Fail', verdict: { label: 'fail' } },
];

interface VerdictFormProps {
  item: ReviewItem;
  isBusy: boolean;
  onReview: (verdict: Verdict) => void;
  onSkip: () => void;
  /** Undefined where nothing was reviewed yet. */
  onUndo: (() => void) | undefined;
}

/** The verdicts as buttons and keys, the scores of criteria, and a note. */
export function VerdictForm({ item, isBusy, onReview, onSkip, onUndo }: VerdictFormProps) {
  const [scores, setScores] = useState<Readonly<Record<string, string>>>({});
  const [note, setNote] = useState('');
  const isPair = item.kind === 'pairwise';
  const choices = isPair ? OF_PAIRS : OF_SINGLES;
  const invalid = item.criteria.filter((criterion) => !isScore(criterion, scores[criterion.key]));
  const choose = ({ verdict }: Choice) => {
    if (isBusy || invalid.length > 0) return;
    const given = Object.entries(scores).filter(([, text]) => text !== '');
    onReview({
      ...verdict,
      ...(given.length > 0 && {
        scores: Object.fromEntries(given.map(([key, text]) => [key, Number(text)])),
      }),
      ...(note !== '' && { note }),
    });
  };
  useKeys({
    ...Object.fromEntries(choices.map((choice) => [choice.key, () => choose(choice)])),
    j: () => !isBusy && onSkip(),
    u: () => !isBusy && onUndo?.(),
  });
  return (
    <section className={css.own} aria-label="Your review">
      {!isPair && item.criteria.length > 0 && (
        <div className={css.criteria}>
          {item.criteria.map((criterion) => (
            <TextField
              key={criterion.key}
              label={criterion.key}
              hint={`${scaleOf(criterion)}, optional`}
              inputMode="decimal"
              value={scores[criterion.key] ?? ''}
              {...(invalid.includes(criterion) && { problem: `It must be ${scaleOf(criterion)}.` })}
              onChange={({ target }) => setScores({ ...scores, [criterion.key]: target.value.trim() })}
            />
          ))}
        </div>
      )}
      <TextArea
        label="Note"
        className={css.note ?? ''}
        rows={1}
        maxLength={4_000}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <div className={css.verdict}>
        {choices.map((choice) => (
          <Button
            key={choice.key}
            kind="primary"
            isBusy={isBusy}
            disabled={invalid.length > 0}
            aria-keyshortcuts={choice.key}
            onClick={() => choose(choice)}
          >
            {choice.name} <kbd>{choice.key}</kbd>
          </Button>
        ))}
        <Button isBusy={isBusy} aria-keyshortcuts="j" onClick={onSkip}>
          Skip <kbd>j</kbd>
        </Button>
        {onUndo !== undefined && (
          <Button kind="quiet" isBusy={isBusy} aria-keyshortcuts="u" onClick={onUndo}>
            Undo the last <kbd>u</kbd>
          </Button>
        )}
      </div>
    </section>
  );
}

type Criterion = ReviewItem['criteria'][number];

function scaleOf({ mode, min, max }: Criterion): string {
  return mode === 'assertion' ? '1 where it holds, or 0' : `${min} to ${max}`;
}

function isScore({ mode, min, max }: Criterion, text = ''): boolean {
  if (text === '') return true;
  const score = Number(text);
  return score >= min && score <= max && (mode !== 'assertion' || Number.isInteger(score));
}

/** Calls the function of a key that is pressed where no text is typed. */
function useKeys(keys: Readonly<Record<string, () => unknown>>): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (isTyping(event.target) || isDialogOpen()) return;
      current.current[event.key]?.();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
