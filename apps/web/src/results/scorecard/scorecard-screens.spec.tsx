import { type RankingEntry, routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { agentOf, attemptOf, DECIDED, id, page, RUN, runOf, versionOf } from '../../testing/fixtures.js';
import { field, openApp, server } from '../../testing/open-app.js';

const [ALPHA, BETA, ATTEMPT] = [id(300), id(301), id(400)];
const STORED = {
  revision: 1,
  evaluation_spec_id: null,
  spec_hash: null,
  evidence_hash: null,
  scored_at: null,
  failure: null,
};
const NO_CARD = { state: 'pending' as const, ...STORED, revision: null, scorecard: null };

const caseOf = (case_key: string, overall: number | null, trials: number, successes: number) => ({
  ...{ case_key, overall, trials, successes, dimensions: { correctness: overall } },
});
const LANES: Record<string, object> = {
  [ALPHA]: { cases: [caseOf('a', 0.9, 1, 1), caseOf('b', 0.2, 2, 1), caseOf('c', null, 0, 0)] },
  [BETA]: { cases: [caseOf('a', 0.1, 1, 0), caseOf('b', 0.3, 1, 1)] },
};

beforeEach(() => {
  server.on(routes.runs.get, runOf());
  server.on(routes.runs.agents, { items: [agentOf(300, 'alpha'), agentOf(301, 'beta')], position: 0 });
  server.on(routes.runAgents.scorecard, ({ params }) => ({
    ...STORED,
    ...{ state: 'ready' as const, run_agent_id: params.run_agent_id ?? '' },
    scorecard: {
      overall: { mean: 0.55, interval: [0.4, 0.7] },
      pass_rate: { mean: 0.5 },
      flake_rate: 0.25,
      ...LANES[params.run_agent_id ?? ''],
    },
  }));
  server.on(
    routes.runs.attempts,
    page([
      attemptOf(400, { case_key: 'a', passed: true }),
      attemptOf(401, { case_key: 'b' }),
      attemptOf(402, { case_key: 'b', repetition: 2 }),
    ]),
  );
});

function entryOf(number: number, name: string, more: object = {}): RankingEntry {
  return {
    ...{
      run_agent_id: id(number),
      name,
      rank: 1,
      reason: 'overall',
      overall: 0.55,
      passed: true,
      validity: 'valid',
    },
    ...{ overall_estimate: { mean: 0.55, interval: [0.4, 0.7] }, pass_rate: { mean: 0.5, interval: null } },
    ...more,
  };
}

function serveRanking(items: RankingEntry[], more: object = {}) {
  server.on(routes.versions.get, versionOf(40, 'sums'));
  server.on(routes.runs.ranking, { run_id: RUN, state: 'ready', revision: 1, items, ...more });
}

test('a ranking shows ranks, intervals, verdicts and measured values, each leading to its cases', async () => {
  const dimensions = { latency: { mean: 0.9, interval: null, raw: { value: 1_400, unit: 'ms' } } };
  serveRanking([
    entryOf(300, 'alpha', { dimensions, usable_attempts: 9, planned_attempts: 10, flake_rate: 0.25 }),
    entryOf(301, 'beta', {
      reason: 'tie',
      passed: null,
      validity: 'partial',
      verdict_reason: 'gate_failed',
      gates: { correctness: false },
      dimensions: { correctness: { mean: 0.9, interval: null } },
    }),
  ]);
  openApp(`/runs/${RUN}/ranking`);
  const [table] = await screen.findAllByRole('region', { name: 'Ranking' });
  const alpha = within(table as HTMLElement).getByRole('row', { name: /alpha/ });
  expect(alpha.textContent).toBe(
    '1 alpha0.550 [0.400, 0.700]0.500passed 9/1025 %'.replace('1 alpha', '1alpha'),
  );
  expect(within(alpha).getByRole('link', { name: /0.550/ }).getAttribute('href')).toBe(
    `/runs/${RUN}/agents/${ALPHA}?measure=overall`,
  );
  const beta = within(table as HTMLElement).getByRole('row', { name: /beta/ });
  expect(beta.textContent).toContain('no verdict partialgate failed: correctness (mean 0.900) was below');
  expect(screen.getByText('Tie: alpha and beta share rank 1: no figure separates them')).toBeTruthy();
  expect(screen.getByRole('img', { name: 'alpha: 0.550 at 1.4 s' })).toBeTruthy();
});

test('a pending ranking is requested until it is ready', async () => {
  const pending = server.on(routes.runs.ranking, {
    run_id: RUN,
    state: 'pending',
    revision: null,
    items: [],
  });
  server.on(routes.runs.get, runOf({ status: 'scoring', finished_at: null }));
  openApp(`/runs/${RUN}/ranking`);
  await screen.findByText('No ranking yet');
  expect(pending.length).toBeGreaterThan(0);
  serveRanking([entryOf(300, 'alpha')], { revision: 2 });
  await screen.findByText('Re-scored: revision 2');
});

test('a run without a ranking shows why', async () => {
  server.on(routes.runs.ranking, { run_id: RUN, state: 'pending', revision: null, items: [] });
  server.on(
    routes.runs.get,
    runOf({ status: 'failed', failure: { code: 'pack_errors', message: 'The pack is broken.' } }),
  );
  openApp(`/runs/${RUN}/ranking`);
  await screen.findByText('The pack is broken.');
  expect(screen.getByText('No ranking')).toBeTruthy();
});

const matrixCases = () =>
  within(screen.getByRole('region', { name: 'Case matrix' }))
    .getAllByRole('rowheader')
    .map(({ textContent }) => textContent);

test('the matrix is sorted and filtered by the address, and a cell leads to its case', async () => {
  const user = openApp(`/runs/${RUN}/matrix`);
  await waitFor(() => expect(matrixCases()).toEqual(['a', 'b', 'c']));
  await user.selectOptions(field('Sort by'), 'most different');
  await waitFor(() => expect(matrixCases()).toEqual(['a', 'b', 'c']));
  await user.selectOptions(field('Sort by'), 'hardest');
  await waitFor(() => expect(matrixCases()).toEqual(['b', 'a', 'c']));
  expect(location.search).toBe('?order=hardest');
  const row = screen.getByRole('row', { name: /^b/ });
  expect(row.textContent).toBe('b≈0.2001/2flaky✓0.300passed');
  const links = within(row).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    `/runs/${RUN}/cases/b?order=hardest`,
    ...[ALPHA, BETA].map((lane) => `/runs/${RUN}/cases/b?agent=${lane}&order=hardest`),
  ]);
  await user.type(field('Case'), 'c');
  await waitFor(() => expect(matrixCases()).toEqual(['c']));
});

test('The matrix of a run that stopped early explains cases without a score', async () => {
  server.on(routes.runs.get, runOf({ ...DECIDED }));
  openApp(`/runs/${RUN}/matrix`);
  await screen.findByRole('region', { name: 'Case matrix' });
  expect(screen.getByText(/has no score where it was skipped, or came after the verdict/)).toBeTruthy();
});

test('the cases of a lane are sorted by the chosen measure, lowest first', async () => {
  const user = openApp(`/runs/${RUN}/agents/${ALPHA}`);
  const cases = await screen.findByRole('region', { name: 'Cases' });
  const keys = () =>
    within(cases)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent);
  expect(keys()).toEqual(['b', 'a', 'c']);
  await user.selectOptions(field('Sort by'), 'pass rate');
  expect(location.search).toBe('?measure=pass+rate');
  expect(keys()).toEqual(['b', 'a', 'c']);
  const one = await within(within(cases).getByRole('row', { name: /^a/ })).findAllByRole('link');
  expect(one.map((link) => link.getAttribute('href')).slice(0, 2)).toEqual([
    `/runs/${RUN}/cases/a?agent=${ALPHA}`,
    `/attempts/${ATTEMPT}`,
  ]);
  expect(screen.getByText('25 %, 0 flaky cases')).toBeTruthy();
  const toRun = screen.getAllByRole('link', { name: 'nightly' });
  expect(toRun.map((link) => link.getAttribute('href'))).toEqual([`/runs/${RUN}`, `/runs/${RUN}/ranking`]);
});

test('a lane of a run with cached replies is marked, and each attempt that was served one', async () => {
  server.on(routes.runs.get, runOf({ model_calls: 'cache' }));
  server.on(
    routes.runs.attempts,
    page([attemptOf(400, { case_key: 'a', served_calls: 2 }), attemptOf(401, { case_key: 'b' })]),
  );
  openApp(`/runs/${RUN}/agents/${ALPHA}`);
  await screen.findByText('cached replies');
  const attempts = await screen.findByRole('region', { name: 'Attempts' });
  const rows = within(attempts).getAllByRole('row').slice(1);
  expect(rows.map((row) => within(row).queryByText('served') !== null)).toEqual([true, false]);
});

test('a lane shows what its attempts spent on models', async () => {
  const tally = { judged: 3, graded: 3, tokens: 12_300, cost_usd: 0.25 };
  server.on(routes.runs.agents, { items: [agentOf(300, 'alpha', { tally })], position: 0 });
  openApp(`/runs/${RUN}/agents/${ALPHA}`);
  await screen.findByText('12,300');
  expect(screen.getByText('$0.25')).toBeTruthy();
});

test('The attempts of a lane are filtered by their verdict, the skipped ones too', async () => {
  const skipped = { state: 'skipped', outcome: null, overall: null, passed: null, is_scored: false } as const;
  server.on(
    routes.runs.attempts,
    page([attemptOf(400, { passed: true }), attemptOf(401, { case_key: 'malta', ...skipped })]),
  );
  const user = openApp(`/runs/${RUN}/agents/${ALPHA}`);
  const attempts = await screen.findByRole('region', { name: 'Attempts' });
  expect(within(attempts).getAllByRole('row')).toHaveLength(3);
  await user.selectOptions(field('Verdict'), 'skipped');
  const [, only, ...others] = within(attempts).getAllByRole('row');
  expect(others).toEqual([]);
  expect(only?.textContent).toMatch(/^malta .*skipped/);
  expect(location.search).toBe('?verdict=skipped');
});

test('a case with several attempts narrows the list of attempts to it', async () => {
  const user = openApp(`/runs/${RUN}/agents/${ALPHA}`);
  const cases = await screen.findByRole('region', { name: 'Cases' });
  await user.click(
    (await within(within(cases).getByRole('row', { name: /^b/ })).findAllByRole('link'))[1] as HTMLElement,
  );
  await screen.findByRole('heading', { name: 'Attempts (2)' });
  expect(field('Case').value).toBe('b');
});

const CARD = {
  ...{ overall: 0.5, passed: false, reason: 'below_threshold', validity: 'valid', strategy: 'weighted' },
  dimensions: [
    {
      key: 'correctness',
      source: 'validators',
      state: 'available',
      score: 0.5,
      gate: true,
      gate_passed: false,
    },
  ],
  validators: [
    {
      ...{
        key: 'sum',
        type: 'exact_match',
        state: 'available',
        verdict: 'fail',
        score: 0,
        reason: 'not_equal',
      },
      evidence: { from_sequence: 7, to_sequence: 9 },
      compared: { expected: { text: 'six' }, actual: { text: 'sits' } },
    },
  ],
  metrics: [
    { key: 'latency', collector: 'run_total_latency_ms', state: 'available', value: 1_400, unit: 'ms' },
  ],
};

function serveCard(scorecard: object) {
  server.on(routes.attempts.get, {
    ...attemptOf(400),
    deliveries: [],
    final_output: 'sits',
    snapshot: null,
    stored_case: {},
  });
  server.on(routes.attempts.replay, { ...page([]), attempt_id: ATTEMPT, delivery: 1 });
  server.on(routes.attempts.events, { ...page([]), delivery: 1 });
  server.on(routes.attempts.scorecard, {
    ...STORED,
    state: 'ready',
    scorecard: { ...scorecard },
    attempt_id: ATTEMPT,
  });
  server.on(routes.versions.manifest, {});
}

test('a scorecard links every score to its evidence and shows what was expected', async () => {
  serveCard(CARD);
  openApp(`/attempts/${ATTEMPT}/scorecard`);
  const validators = (await screen.findAllByRole('region', { name: 'Validators' }))[0] as HTMLElement;
  const event = within(validators).getByRole('link', { name: /^events 7 to 9/ });
  expect(event.getAttribute('href')).toBe(`/attempts/${ATTEMPT}?tab=events&event=9`);
  expect(location.href).toMatch(/\?tab=scores$/);
  const failed = screen.getByRole('region', { name: 'Failed checks (1)' });
  expect(failed.textContent).toBe('Failed checks (1)sum exact_match not equalexpected six, got sits');
  const dimensions = screen.getAllByRole('region', { name: 'Dimensions' })[0] as HTMLElement;
  expect(within(dimensions).getByRole('link', { name: 'sum' }).getAttribute('href')).toBe('#validators-sum');
  const metrics = screen.getAllByRole('region', { name: 'Metrics' })[0] as HTMLElement;
  expect(metrics.textContent).toContain('1.4 s');
  expect(within(metrics).getByRole('link', { name: /^whole attempt/ })).toBeTruthy();
});

test('an invalid scorecard shows no score', async () => {
  serveCard({ ...CARD, validity: 'invalid' });
  openApp(`/attempts/${ATTEMPT}/scorecard`);
  const badge = await screen.findByText('invalid');
  expect(badge.closest('p')?.textContent).toMatch(/^Overall –, below threshold\./);
});

test('a scorecard that could not be made shows why', async () => {
  serveCard(CARD);
  const failure = { code: 'grader_failed', message: 'The grader timed out.' };
  server.on(routes.attempts.scorecard, { ...NO_CARD, state: 'failed', failure, attempt_id: ATTEMPT });
  openApp(`/attempts/${ATTEMPT}/scorecard`);
  await screen.findByText('grader_failed: The grader timed out.');
  expect(screen.getByText('No scorecard')).toBeTruthy();
});
