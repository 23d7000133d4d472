import type { OwnReview, ReviewSpec } from '@agentclash/contracts';
import type { StoredReview } from './reviews.store.js';

/** A vote as it was given on the sides, by the attempts. */
export function choiceOf(vote: ReviewSpec['vote'], first: 'left' | 'right'): string | null {
  if (vote === undefined || vote === 'tie') return vote ?? null;
  return vote === first ? 'first' : 'second';
}

export function ownReview({
  choice,
  firstShown: first,
  label,
  scores,
  note,
  reviewedAt,
}: StoredReview): OwnReview {
  return {
    vote: voteOf(choice, first),
    label: label === 'pass' || label === 'fail' ? label : null,
    scores: JSON.parse(scores),
    note,
    reviewed_at: reviewedAt.toISOString(),
  };
}

/** A choice between attempts by the sides on which they were shown. */
export function voteOf(choice: string | null, first: string): OwnReview['vote'] {
  if (choice === null || choice === 'tie') return choice;
  return (choice === 'first') === (first === 'left') ? 'left' : 'right';
}

/** Equal scores are equal texts. */
export function scoresText(scores: Readonly<Record<string, number>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(scores).sort(([a], [b]) => (a < b ? -1 : 1))));
}
