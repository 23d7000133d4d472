import { type Attempt, type Client, type HistoryEvent, routes, type ScorecardReply } from '@agentclash/api';
import { allPages, PAGE_SIZE } from '../lookup/all-pages.js';
import { AttemptCard, isSelfContained } from './attempt-card.js';

/** An attempt with its scorecard, and the events behind it where the scorecard alone does not show what was compared. */
export interface OpenedCard {
  attempt: Attempt;
  reply: ScorecardReply;
  events: readonly HistoryEvent[];
}

/** A page has a hundred: 5,276 attempts are 53 requests. */
const CARDS_PER_PAGE = 100;

/** The scorecards of all attempts of a run, a page of them at a time. */
export async function allCards(client: Client, runId: string): Promise<OpenedCard[]> {
  const params = { run_id: runId };
  const items = await allPages((cursor) =>
    client.call(routes.runs.scorecards, { params, query: { limit: CARDS_PER_PAGE, cursor } }),
  );
  return items.map(({ attempt, scorecard }) => ({ attempt, reply: scorecard, events: [] }));
}

export async function openCard(client: Client, attempt: Attempt): Promise<OpenedCard> {
  const params = { attempt_id: attempt.id };
  const reply = await client.call(routes.attempts.scorecard, { params });
  const card = AttemptCard.safeParse(reply.scorecard);
  const needsEvents = card.success && !isSelfContained(card.data);
  return { attempt, reply, events: needsEvents ? await eventsOf(client, attempt.id) : [] };
}

function eventsOf(client: Client, id: string): Promise<HistoryEvent[]> {
  return allPages((cursor) =>
    client.call(routes.attempts.events, { params: { attempt_id: id }, query: { limit: PAGE_SIZE, cursor } }),
  );
}
