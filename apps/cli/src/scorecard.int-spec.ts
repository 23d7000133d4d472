import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Attempt, type Run, routes } from '@agentclash/api';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { command, emptyFolder } from './testing/command.js';
import { attempt, packVersion, run, runAgent } from './testing/factories.js';
import { useFakeApi } from './testing/fake-api.js';
import { CARD, RANKING } from './testing/fixtures/scores.js';

const ATTEMPTS = 5_276;
const PAGE_MAX = 100;

describe('eval scorecard', () => {
  const { api, env } = useFakeApi();
  const race = run({ status: 'completed' });
  const attempts: readonly Attempt[] = Array.from({ length: ATTEMPTS }, (_, index) =>
    attempt({ run_id: race.id, case_key: `case-${index}`, passed: index % 2 === 0 }),
  );

  beforeAll(() => {
    api.on(routes.runs.get, () => race);
    api.on(routes.runs.agents, () => ({ items: [runAgent('solver', ATTEMPTS)] }));
    api.on(routes.versions.get, () => packVersion());
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
      return {
        items: items.map((each) => ({ attempt: each, scorecard: scorecardOf(each.id) })),
        next_cursor,
      };
    });
    api.on(routes.attempts.get, ({ params }) => ({
      ...attempt({ id: params.attempt_id ?? '', run_id: race.id }),
      ...{ deliveries: [], final_output: null, snapshot: null, stored_case: {} },
    }));
    api.on(routes.attempts.scorecard, ({ params }) => scorecardOf(params.attempt_id ?? ''));
  });

  function scorecardOf(attempt_id: string) {
    return {
      ...{ attempt_id, state: 'ready' as const, revision: 1, evaluation_spec_id: null, spec_hash: null },
      ...{ evidence_hash: null, scored_at: null, scorecard: CARD, failure: null },
    };
  }

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

  test('the ranking is printed last, with every attempt above it where there is no terminal', async () => {
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

describe('the notes below a ranking', () => {
  const ERROR = {
    ...{ validator: 'queue', type: 'json_path_match', reason: 'invalid_expected', value: 'billing' },
    ...{ expected_from: 'case.expectations.queue', case_key: 'small', attempts: 3 },
    message:
      'validator queue (json_path_match) cannot read case.expectations.queue = "billing": expected a path',
  };
  const LINE = `pack error: 3 of 4 attempts could not be graded: ${ERROR.message} (case small)`;
  const SHORTFALL =
    'solver: 75 % of its attempts have no usable score, 5 % may be without: pack errors count among them';

  const lane = runAgent('solver', 4);
  const broken: Run = run({
    status: 'completed',
    progress: { ...run().progress, total: 4, finished: 4, scored: 4 },
    pack_errors: [ERROR],
  });
  const ranking = {
    ...{ run_id: broken.id, state: 'ready' as const, revision: 2 },
    items: [
      {
        ...{ run_agent_id: lane.id, name: 'solver', rank: 1, reason: 'only_agent', overall: 1, passed: null },
        ...{ validity: 'degraded', verdict_reason: 'missing_share', missing_share: 0.75 },
        max_missing_share: 0.05,
      },
    ],
  };
  const rescore = {
    ...{ id: broken.id, run_id: broken.id, evaluation_spec_id: broken.evaluation_spec_id },
    ...{ state: 'ready' as const, scored: 4, attempts: 4, created_by: 'ada' },
    created_at: '2026-03-01T12:00:00.000Z',
  };

  const { api, env } = useFakeApi();

  beforeAll(() => {
    const none = { items: [], next_cursor: null };
    api.on(routes.runs.get, () => broken);
    api.on(routes.versions.get, () => packVersion());
    api.on(routes.runs.findIds, () => ({ runs: [broken.id], attempts: [] }));
    api.on(routes.runs.agents, () => ({ items: [lane] }));
    api.on(routes.runs.attempts, () => none);
    api.on(routes.runs.ranking, () => ranking);
    api.on(routes.runs.rescore, () => rescore);
    api.on(routes.baselines.list, () => none);
  });

  test.each([
    ['run', 'ranking'],
    ['run', 'rescore'],
    ['eval', 'scorecard'],
  ])('the ranking of %s %s names the pack errors below it, in text and in JSON', async (noun, verb) => {
    const shown = await command([noun, verb, broken.id], { env });
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toContain(LINE);
    expect(shown.stdout).toContain(SHORTFALL);
    const printed = JSON.parse((await command([noun, verb, broken.id, '--json'], { env })).stdout);
    expect((printed.ranking ?? printed).pack_errors).toEqual([ERROR]);
  });

  test('the summary of a run for CI names its pack errors', async () => {
    const folder = emptyFolder();
    const args = ['eval', 'scorecard', broken.id, '--markdown', path.join(folder, 'run.md')];
    expect(await command(args, { env })).toMatchObject({ code: 0 });
    const summary = readFileSync(path.join(folder, 'run.md'), 'utf8');
    expect(summary).toContain('**Pack error:** 3 of 4 attempts could not be graded: validator queue');
  });
});
