import {
  type LaneComparison,
  type MeasureComparison,
  type RaceComparison,
  type RunComparison,
  routes,
} from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { capturesOf } from '../../testing/attempt-fixtures.js';
import { problem, type SentRequest } from '../../testing/fake-server.js';
import { attemptOf, baselineOf, id, page, runOf } from '../../testing/fixtures.js';
import { button, field, openApp, server } from '../../testing/open-app.js';

const [BASE, CAND] = [id(101), id(102)];

function measureOf(more: Partial<MeasureComparison> = {}): MeasureComparison {
  return {
    ...{ state: 'available', n: 10, baseline: 0.8, candidate: 0.7, mean_difference: -0.1, se: 0.01 },
    ...{
      ci: [-0.2, -0.05],
      interval: [-0.2, -0.05],
      interval_adjusted: [-0.22, -0.03],
      p: 0.01,
      p_adjusted: 0.02,
      method: 't',
      mde: 0.1,
    },
    ...{ cases_needed: null, verdict: 'worse', raw: { baseline: null, candidate: null } },
    pairs: [
      { case_key: 'even', baseline: 0.5, candidate: 0.5 },
      { case_key: 'lost', baseline: 1, candidate: 0.25 },
    ],
    ...more,
  };
}

function laneOf(number: number, more: Partial<LaneComparison> = {}): LaneComparison {
  return {
    ...{
      baseline_run_agent_id: id(300 + number),
      candidate_run_agent_id: id(310 + number),
      comparable: true,
    },
    ...{
      reasons: [],
      cases: 10,
      detect: 0.05,
      overall: measureOf(),
      dimensions: { latency: measureOf({ verdict: 'better' }) },
    },
    pass: measureOf({ verdict: 'inconclusive', cases_needed: 40 }),
    ...more,
  };
}

const side = (run_id: string, first: number) => ({
  ...{ run_id, name: run_id === BASE ? 'monday' : 'tuesday', selective_retry: false },
  agents: [
    { run_agent_id: id(first), name: 'alpha' },
    { run_agent_id: id(first + 1), name: 'beta' },
  ],
});

function comparisonOf(comparisons: LaneComparison[], more: Partial<RunComparison> = {}): RunComparison {
  return { baseline: side(BASE, 300), candidate: side(CAND, 310), comparisons, ...more };
}

let compared: readonly SentRequest[];

beforeEach(() => {
  server.on(routes.runs.get, ({ params }) =>
    runOf({
      id: params.run_id ?? '',
      name: params.run_id === BASE ? 'monday' : 'tuesday',
      status: 'running',
    }),
  );
  server.on(routes.runs.list, ({ query }) =>
    page(query.q === 'nothing' ? [] : [runOf({ id: CAND, name: 'tuesday' })]),
  );
  server.on(routes.baselines.list, page([baselineOf('default', { run_id: BASE, agent_name: 'alpha' })]));
  compared = server.on(routes.comparisons.compare, ({ query }) =>
    comparisonOf(query.agents === undefined ? [laneOf(0)] : [laneOf(0), laneOf(1)]),
  );
});

const openBoth = () => openApp(`/compare?baseline=${BASE}&candidate=${CAND}`);

test('a baseline and a run are chosen from the lists, and both are in the address', async () => {
  const user = openApp('/compare');
  await screen.findByText('Choose two runs of the same version');
  await user.click(button('Baseline: choose a run'));
  // With the title of its run, not with a part of the id.
  await user.click(await screen.findByRole('button', { name: /^baseline default.*; monday, alpha$/ }));
  await user.click(button('Candidate: choose a run'));
  const dialog = screen.getByRole('dialog', { name: 'Candidate: choose a run' });
  expect(within(dialog).queryByRole('button', { name: /^baseline default/ })).toBeNull();
  await user.click(await within(dialog).findByRole('button', { name: /^tuesday/ }));
  await screen.findAllByRole('region', { name: /alpha against alpha/ });
  expect(Object.fromEntries(new URLSearchParams(location.search))).toEqual({
    ...{ baseline: BASE, baseline_agent: 'alpha', candidate: CAND },
  });
});

test('a search for runs without a match is reported, and Clear removes a choice', async () => {
  const user = openBoth();
  await user.click(await screen.findByRole('button', { name: 'Candidate: tuesday' }));
  await user.type(field('Search'), 'nothing');
  await screen.findByText('No completed runs match');
  await user.click(button('Clear'));
  await screen.findByText('Choose two runs of the same version');
  expect(location.search).toBe(`?baseline=${BASE}`);
});

test('agents of one name are compared with each other where none is chosen', async () => {
  openBoth();
  await screen.findAllByRole('region', { name: 'beta against beta' });
  expect(compared.at(-1)?.query.agents).toBe('alpha,beta');
});

test('a chosen agent is sent, and nothing but it is compared', async () => {
  const user = openBoth();
  await user.selectOptions(await screen.findByLabelText('Agent of the candidate'), 'beta');
  await waitFor(() => expect(compared.at(-1)?.query.candidate_agent).toBe('beta'));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'beta against beta' })).toBeNull());
});

test('every measure has its verdict, its difference with the interval and the adjusted p', async () => {
  openBoth();
  const [table] = await screen.findAllByRole('region', { name: 'alpha against alpha' });
  const row = within(table as HTMLElement).getByRole('row', { name: /^overall/ });
  expect(row.textContent).toBe('overallworse−0.100 [−0.220, −0.030]0.8000.7000.020[−0.200, −0.050] p 0.010');
  expect(within(table as HTMLElement).getByRole('row', { name: /^pass rate/ }).textContent).toContain(
    'inconclusive',
  );
  expect(within(table as HTMLElement).getByRole('row', { name: /^latency/ }).textContent).toContain('better');
});

test('the cases are ordered by loss, and both sides lead to their attempts', async () => {
  openBoth();
  const [list] = await screen.findAllByRole('list', { name: 'Differences of cases in overall' });
  const items = within(list as HTMLElement).getAllByRole('listitem');
  const [baseline, candidate] = within(items[0] as HTMLElement).getAllByRole('link');
  expect(baseline?.getAttribute('href')).toBe(`/runs/${BASE}/cases/lost?agent=${id(300)}`);
  expect(candidate?.getAttribute('href')).toBe(`/runs/${CAND}/cases/lost?agent=${id(310)}`);
});

test('unchanged cases are hidden until they are wanted, and a summary counts them', async () => {
  const user = openApp(`/compare?baseline=${BASE}&candidate=${CAND}&candidate_agent=alpha`);
  const cases = async () => {
    const list = await screen.findByRole('list', { name: 'Differences of cases in overall' });
    return within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent?.slice(0, 4));
  };
  expect(await cases()).toEqual(['lost']);
  await user.click(field('Show 1 unchanged case'));
  expect(await cases()).toEqual(['lost', 'even']);
  expect(screen.getByRole('list', { name: 'Summary' }).textContent).toBe(
    'worse alpha of tuesday against alpha of monday: −0.100 [−0.220, −0.030] in overall, p 0.020. ' +
      'Of 2 cases 0 are better, 1 worse and 1 unchanged.',
  );
});

test('a comparison without any changed case has no rows until they are wanted', async () => {
  const pairs = [{ case_key: 'even', baseline: 0.5, candidate: 0.5 }];
  server.on(routes.comparisons.compare, comparisonOf([laneOf(0, { overall: measureOf({ pairs }) })]));
  openApp(`/compare?baseline=${BASE}&candidate=${CAND}&candidate_agent=alpha`);
  await screen.findByText(/Every case has the same score on both sides/);
  expect(screen.queryByRole('list', { name: 'Differences of cases in overall' })).toBeNull();
});

test('a case opens the outputs of both sides with the words that differ', async () => {
  const OUTPUTS: Record<string, string> = { [id(400)]: 'It is Lima.', [id(401)]: 'It is Quito.' };
  const wanted = server.on(routes.runs.attempts, ({ params, query }) =>
    page([attemptOf(params.run_id === BASE ? 400 : 401, { case_key: query.case_key ?? '' })]),
  );
  server.on(routes.attempts.get, ({ params: { attempt_id = '' } }) => ({
    ...{ ...attemptOf(400), id: attempt_id, deliveries: [], snapshot: null },
    ...{ final_output: OUTPUTS[attempt_id] ?? null, stored_case: { kind: 'payload', document: {} } },
  }));
  server.on(routes.versions.manifest, {});
  server.on(routes.attempts.events, capturesOf({}));
  server.on(routes.attempts.scorecard, () => problem('not_found', 'not part of this test'));
  const user = openApp(`/compare?baseline=${BASE}&candidate=${CAND}&candidate_agent=alpha`);
  await user.click(await screen.findByRole('button', { name: 'lost' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Case lost' }));
  await dialog.findByText('It is Lima.');
  const candidate = within(dialog.getByRole('article', { name: 'output of alpha of tuesday' }));
  expect((await candidate.findByText('Quito')).tagName).toBe('INS');
  expect(new Set(wanted.map(({ query }) => query.run_agent_id))).toEqual(new Set([id(300), id(310)]));
  expect(dialog.getAllByRole('link', { name: 'All agents of the run at this case' })).toHaveLength(2);
});

test('an inconclusive result names what more cases would show', async () => {
  const overall = measureOf({ verdict: 'inconclusive', cases_needed: 40, detectable: 0.2 });
  server.on(routes.comparisons.compare, comparisonOf([laneOf(0, { overall })]));
  openApp(`/compare?baseline=${BASE}&candidate=${CAND}&candidate_agent=alpha`);
  await screen.findByText(
    'Overall is inconclusive: 30 more cases would show a difference of 0.05 with 80 % power.',
  );
  await screen.findByText('A loss of 0.200 or more in overall would have been detected with 80 % power.');
  expect(screen.getByRole('row', { name: /^overall/ }).textContent).toContain('inconclusive');
});

test('lanes that cannot be compared show the reasons and lead to both runs', async () => {
  const lane = laneOf(0, { comparable: false, reasons: ['evaluation_spec_mismatch'] });
  server.on(routes.comparisons.compare, comparisonOf([lane]));
  openApp(`/compare?baseline=${BASE}&candidate=${CAND}&candidate_agent=alpha`);
  const title = await screen.findByText('alpha against alpha: not comparable');
  expect(title.parentElement?.textContent).toContain('re-score one of them');
  expect(screen.getByRole('link', { name: 'Candidate' }).getAttribute('href')).toBe(`/runs/${CAND}/ranking`);
});

test('an agent that one run alone has is against no agent', async () => {
  const lane = laneOf(0, { comparable: false, reasons: ['not_in_baseline'], baseline_run_agent_id: null });
  server.on(routes.comparisons.compare, comparisonOf([lane]));
  openApp(`/compare?baseline=${BASE}&candidate=${CAND}&candidate_agent=alpha`);
  const title = await screen.findByText('alpha against no agent: not comparable');
  expect(title.parentElement?.textContent).toContain('no agent of the baseline has this name');
});

test('lanes of a race that stopped early show its verdict with the promise in place of a test', async () => {
  const race: RaceComparison = {
    ...{ run_id: CAND, stopped: 'decided', goal: 'baseline', metric: 'pass', alpha: 0.05, pairs: 1 },
    ...{
      verdict: 'worse',
      difference: -0.42,
      interval: [-0.7, -0.02],
      cases: 37,
      population: 100,
      missing: 0,
    },
  };
  const lane = laneOf(0, { comparable: false, reasons: ['stopped_early'], cases: 0, race });
  server.on(routes.comparisons.compare, comparisonOf([lane]));
  openBoth();
  await screen.findByText('alpha against alpha: worse in pass rate');
  expect(screen.getByText(/^race:/).textContent).toContain(
    '-0.420 [-0.700, -0.020] after 37 of 100 cases (stopped: decided; alpha 0.05)',
  );
  expect(screen.getByText(/^With probability/).textContent).toContain('what all 100 cases would have shown');
});

const titles = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);

test('The interval and p beside a verdict are the adjusted ones, and the unadjusted ones are apart', async () => {
  const overall = measureOf({
    ...{ verdict: 'inconclusive', interval: [-0.2, -0.01], interval_adjusted: [-0.23, 0.02] },
    ...{ p: 0.0499, p_adjusted: 0.0998 },
  });
  const lane = laneOf(0, { overall, tests: 2 });
  server.on(routes.comparisons.compare, comparisonOf([lane]));
  openBoth();
  const row = await screen.findByRole('row', { name: /^overall/ });
  expect(row.textContent).toBe(
    'overallinconclusive−0.100 [−0.230, +0.020]0.8000.7000.100[−0.200, −0.010] p <0.050',
  );
  expect(screen.getByText(/are adjusted for 2 distinct tests/)).toBeTruthy();
});

test('A comparison of one test has no unadjusted figures', async () => {
  const alone = measureOf({ p: 0.02, p_adjusted: 0.02, interval_adjusted: [-0.2, -0.05] });
  const lane = laneOf(0, { overall: alone, pass: alone, dimensions: {}, tests: 1 });
  server.on(routes.comparisons.compare, comparisonOf([lane]));
  openBoth();
  await screen.findByRole('row', { name: /^overall/ });
  expect(titles()).not.toContain('Unadjusted');
  expect(screen.getByText(/are adjusted for one test/)).toBeTruthy();
});

test('A race that ran to its last case shows its verdict beside the comparison, each with its promise', async () => {
  const race: RaceComparison = {
    ...{ run_id: CAND, goal: 'ranking', metric: 'pass', alpha: 0.05, pairs: 1, verdict: 'exact' },
    ...{ difference: -0.1, interval: [-0.1, -0.1], cases: 10, population: 10, missing: 0 },
  };
  server.on(routes.comparisons.compare, comparisonOf([laneOf(0, { race })]));
  openBoth();
  await screen.findByText(/^race: worse in pass rate over all cases/);
  expect(screen.getByText(/^With probability at least 0\.95/)).toBeTruthy();
  expect(
    screen.getByText(/about cases that are not written yet; the race is about these cases/),
  ).toBeTruthy();
});

test('a selective retry of one side is marked', async () => {
  const baseline = { ...side(BASE, 300), selective_retry: true };
  server.on(routes.comparisons.compare, comparisonOf([laneOf(0)], { baseline }));
  openApp(`/compare?baseline=${BASE}&candidate=${CAND}&candidate_agent=alpha`);
  const remark = await screen.findByText(/Attempts of one side were retried because of their result/);
  expect(remark.textContent).toMatch(/^selective retry/);
});
