import { type Attempt, routes } from '@agentclash/api';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { command, removeFolders } from './testing/command.js';
import { attempt, run, runAgent } from './testing/factories.js';
import { FakeApi } from './testing/fake-api.js';
import { CARD, RANKING } from './testing/fixtures/scores.js';

const ATTEMPTS = 5_276;
const PAGE_MAX = 100;

let api: FakeApi;
let env: Record<string, string>;
const race = run({ status: 'completed' });
const attempts: readonly Attempt[] = Array.from({ length: ATTEMPTS }, (_, index) =>
  attempt({ run_id: race.id, case_key: `case-${index}`, passed: index % 2 === 0 }),
);

beforeAll(async () => {
  api = await FakeApi.start();
  env = { AGENTCLASH_API_URL: api.url, AGENTCLASH_TOKEN: 'ac_test' };
  api.on(routes.runs.get, () => race);
  api.on(routes.runs.agents, () => ({ items: [runAgent('solver', ATTEMPTS)] }));
  api.on(routes.runs.ranking, () => ({ run_id: race.id, ...RANKING }));
  api.fail(routes.baselines.get, { status: 404, code: 'not_found', detail: 'There is none.' });
  const pageFrom = (query: URLSearchParams) => {
    const from = Number(query.get('cursor') ?? 0);
    const end = from + Math.min(PAGE_MAX, Number(query.get('limit')));
    return { items: attempts.slice(from, end), next_cursor: end < ATTEMPTS ? String(end) : null };
  };
  api.on(routes.runs.attempts, ({ query }) => pageFrom(query));
  api.on(routes.runs.scorecards, ({ query }) => {
    const { items, next_cursor } = pageFrom(query);
    return { items: items.map((each) => ({ attempt: each, scorecard: scorecardOf(each.id) })), next_cursor };
  });
  api.on(routes.attempts.get, ({ params }) => ({
    ...attempt({ id: params.attempt_id ?? '', run_id: race.id }),
    ...{ deliveries: [], final_output: null, snapshot: null, stored_case: {} },
  }));
  api.on(routes.attempts.scorecard, ({ params }) => scorecardOf(params.attempt_id ?? ''));
});
afterAll(async () => {
  await api.stop();
  removeFolders();
});

function scorecardOf(attempt_id: string) {
  return {
    ...{ attempt_id, state: 'ready' as const, revision: 1, evaluation_spec_id: null, spec_hash: null },
    ...{ evidence_hash: null, scored_at: null, scorecard: CARD, failure: null },
  };
}

describe('eval scorecard', () => {
  test('--all reads the scorecards of 5,276 attempts by the hundred, not one by one', async () => {
    api.seen.length = 0;
    const { code, stdout } = await command(['eval', 'scorecard', race.id, '--all', '--json'], { env });
    expect(code).toBe(0);
    const { scorecards, attempts: listed } = JSON.parse(stdout);
    expect(scorecards).toHaveLength(ATTEMPTS);
    expect(scorecards.at(-1).reply.attempt_id).toBe(attempts.at(-1)?.id);
    expect(listed).toHaveLength(ATTEMPTS);
    // 53 pages, and one request each for the run, its agents, its ranking and the baseline.
    expect(api.seen.length).toBeLessThanOrEqual(60);
  });

  test('prints the ranking last, with every attempt above it where there is no terminal', async () => {
    const { stdout } = await command(['eval', 'scorecard', race.id], { env });
    expect(stdout).toContain(`case-${ATTEMPTS - 1} #1`);
    const sections = stdout.trimEnd().split('\n\n');
    expect(sections.at(-1)).toContain('PASS RATE');
    expect(stdout).toContain('right  expected 6, got six');
  });

  test('--json holds both sides of each comparison', async () => {
    const { stdout } = await command(['eval', 'scorecard', '--attempt', attempts[1]?.id ?? '', '--json'], {
      env,
    });
    expect(JSON.parse(stdout).scorecard.scorecard.validators).toEqual([
      expect.objectContaining({ compared: { expected: { text: '6' }, actual: { text: 'six' } } }),
    ]);
  });
});
