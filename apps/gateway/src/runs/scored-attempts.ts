import type { Bus } from '@agentclash/bus';
import { type In, type Out, runs, scorecards } from '@agentclash/contracts';

type Attempt = Out<typeof runs.attempts>['items'][number];
type Scorecard = Out<typeof scorecards.attempts>['items'][number];

/** A page of attempts with their scorecards. Where the scorecards' bytes end it early, the attempts end with them. */
export async function scoredAttempts(
  bus: Bus,
  query: In<typeof runs.attempts>,
): Promise<{ items: { attempt: Attempt; scorecard: Scorecard }[]; next_cursor: string | null }> {
  let attempts = await bus.call(runs.attempts, query);
  const attempt_ids = attempts.items.map(({ id }) => id);
  if (attempt_ids.length === 0) return { items: [], next_cursor: attempts.next_cursor };
  const { workspace_id } = query;
  const { items: cards } = await bus.call(scorecards.attempts, { workspace_id, attempt_ids });
  if (cards.length < attempt_ids.length) {
    attempts = await bus.call(runs.attempts, { ...query, limit: cards.length });
  }
  const byAttempt = new Map(cards.map((card) => [card.attempt_id, card]));
  const items = attempts.items.flatMap((attempt) => {
    const scorecard = byAttempt.get(attempt.id);
    return scorecard === undefined ? [] : [{ attempt, scorecard }];
  });
  return { items, next_cursor: attempts.next_cursor };
}
