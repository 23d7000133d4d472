import { routes } from '@agentclash/api';
import { type Attempt, type AttemptScorecard, runs, scorecards } from '@agentclash/contracts';
import { newId } from '@agentclash/service-kit';
import { freshDatabase, freshNats } from '@agentclash/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { GatewayFixture } from '../testing/gateway-fixture.js';

const database = await freshDatabase();
const nats = await freshNats();
const run_id = newId();
const ATTEMPTS = Array.from({ length: 5 }, (_, index) => attempt(`case-${index + 1}`));

describe('the scorecards of a run', () => {
  let fixture: GatewayFixture;

  beforeAll(async () => {
    fixture = await GatewayFixture.start({ database: database.url, nats: nats.url });
    // The cursor is the number of attempts before the page.
    fixture.fakes.on(runs.attempts, ({ limit, cursor, outcome }) => {
      const from = Number(cursor ?? 0);
      const items = outcome === 'agent_error' ? [] : ATTEMPTS.slice(from, from + limit);
      const end = from + items.length;
      return { items, next_cursor: items.length > 0 && end < ATTEMPTS.length ? String(end) : null };
    });
  });
  beforeEach(() => scoredUpTo(Number.POSITIVE_INFINITY));
  afterAll(async () => await fixture.close());

  function scoredUpTo(cardsMax: number): void {
    fixture.fakes.on(scorecards.attempts, ({ attempt_ids }) => ({
      items: attempt_ids.slice(0, cardsMax).map(card),
    }));
  }

  const page = (query: { limit?: number; cursor?: string; outcome?: 'agent_error' } = {}) =>
    fixture.client().call(routes.runs.scorecards, { params: { run_id }, query });

  test('the scorecards of a run are read page by page, each with its attempt', async () => {
    const before = fixture.fakes.count(scorecards.attempts);
    const first = await page({ limit: 3 });
    expect(first.items.map((item) => [item.attempt.case_key, item.scorecard.attempt_id])).toEqual(
      ATTEMPTS.slice(0, 3).map(({ id, case_key }) => [case_key, id]),
    );
    const rest = await page({ limit: 3, cursor: first.next_cursor ?? '' });
    expect(rest.items.map((item) => item.attempt.case_key)).toEqual(['case-4', 'case-5']);
    expect(rest.next_cursor).toBeNull();
    expect(fixture.fakes.count(scorecards.attempts) - before).toBe(2);
  });

  test('a page of scorecards that is cut by their size continues where it ended', async () => {
    scoredUpTo(2);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const found = await page({ limit: 4, ...(cursor !== undefined && { cursor }) });
      expect(found.items.length).toBeLessThanOrEqual(2);
      seen.push(...found.items.map((item) => item.attempt.case_key));
      cursor = found.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(['case-1', 'case-2', 'case-3', 'case-4', 'case-5']);
  });

  test('the scorecards of a run without attempts are an empty page', async () => {
    expect(await page({ outcome: 'agent_error' })).toEqual({ items: [], next_cursor: null });
  });
});

function attempt(case_key: string): Attempt {
  return {
    ...{ id: newId(), run_id, run_agent_id: newId(), agent_name: 'solver', case_key, repetition: 1 },
    ...{ state: 'finished', delivery: 1, outcome: 'completed', limit_kind: null, finished_by: null },
    ...{ error: null, overall: 1, passed: true, validity: 'valid', is_scored: true, tool_call_count: 0 },
    ...{ latency_ms: 1, started_at: null, finished_at: null, awaits: null },
  };
}

function card(attempt_id: string): AttemptScorecard {
  return {
    ...{ attempt_id, state: 'ready', revision: 1, evaluation_spec_id: null, spec_hash: null },
    ...{ evidence_hash: null, scored_at: null, scorecard: {}, failure: null },
  };
}
