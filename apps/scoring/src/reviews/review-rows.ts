import type { Review, ReviewAgreement } from '@agentclash/contracts';
import type { Choice, PairReview, SingleReview } from '@agentclash/grading';
import { voteOf } from './own-review.js';
import type { ListedReview } from './reviews.store.js';

type Names = ReadonlyMap<string, string>;

/** A review with all that its rater did not see. */
export function asReview(row: ListedReview, names: Names): Review {
  const { choice, firstShown, label, secondAttemptId: second, secondAgentId } = row;
  const nameOf = (id: string | null) => names.get(id ?? '') ?? '';
  const first = {
    ...{ attempt_id: row.firstAttemptId, agent: nameOf(row.firstAgentId), delivery: row.firstDelivery },
  };
  const other =
    second === null
      ? []
      : [{ attempt_id: second, agent: nameOf(secondAgentId), delivery: row.secondDelivery ?? 1 }];
  const preferred = { first: row.firstAgentId, second: secondAgentId }[choice ?? ''];
  return {
    ...{ item_id: row.itemId, case_key: row.caseKey, repetition: row.repetition, rater: row.rater },
    outputs: firstShown === 'left' ? [first, ...other] : [...other, first],
    vote: voteOf(choice, firstShown),
    preferred: preferred == null ? null : nameOf(preferred),
    label: label === 'pass' || label === 'fail' ? label : null,
    ...{ scores: JSON.parse(row.scores), note: row.note, reviewed_at: row.reviewedAt.toISOString() },
    ...{ is_repeat: row.repeats !== null, is_withdrawn: row.isWithdrawn, is_newest: row.isNewest },
  };
}

export function pairReviews(rows: readonly ListedReview[]): PairReview[] {
  return rows.flatMap(({ itemId: item_id, rater, choice, firstShown }) =>
    choice === null
      ? []
      : [
          {
            ...{ item_id, rater, choice: choice as Choice },
            first_shown: firstShown === 'left' ? 'left' : 'right',
          },
        ],
  );
}

export function singleReviews(rows: readonly ListedReview[]): SingleReview[] {
  return rows.flatMap(({ itemId: item_id, rater, label, scores }) =>
    label === 'pass' || label === 'fail' ? [{ item_id, rater, label, scores: JSON.parse(scores) }] : [],
  );
}

/** Wins over votes of each agent with a vote, most preferred first; a tie is half a win. */
export function preferences(rows: readonly ListedReview[], names: Names): ReviewAgreement['preferences'] {
  const counts = new Map<string, { wins: number; votes: number }>();
  const count = (agent: string | null, win: number) => {
    const before = counts.get(agent ?? '') ?? { wins: 0, votes: 0 };
    counts.set(agent ?? '', { wins: before.wins + win, votes: before.votes + 1 });
  };
  for (const { choice, firstAgentId, secondAgentId, repeats } of rows) {
    if (choice === null || repeats !== null) continue;
    const win = choice === 'tie' ? 0.5 : choice === 'first' ? 1 : 0;
    count(firstAgentId, win);
    count(secondAgentId, 1 - win);
  }
  return [...counts]
    .map(([run_agent_id, { wins, votes }]) => {
      return { run_agent_id, agent: names.get(run_agent_id) ?? '', wins, votes };
    })
    .sort((a, b) => b.wins / b.votes - a.wins / a.votes || (a.agent < b.agent ? -1 : 1));
}
