import { type Failure, routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { agentOf, id, page, RUN, runOf } from '../../testing/fixtures.js';
import { button, field, openApp, server } from '../../testing/open-app.js';

const failureOf = (agent: number, case_key: string, more: Partial<Failure> = {}): Failure => ({
  ...{
    cluster_key: `frc_${case_key}`,
    run_agent_id: id(agent),
    agent_name: agent === 300 ? 'alpha' : 'beta',
  },
  ...{ case_key, class: 'wrong_output', code: 'output.wrong', severity: 'error', agent_fault: true },
  ...{ failing_keys: ['sum'], attempts: 1, attempt_id: id(400), runs: 1 },
  ...more,
});

const FIRST = [
  failureOf(300, 'peru', { attempts: 3, attempt_id: id(401) }),
  failureOf(301, 'peru', { class: 'time_limit', failing_keys: [], code: 'attempt.slow', agent_fault: false }),
];
const REST = [failureOf(300, 'malta', { attempt_id: id(402) })];

const CARD = {
  ...{ overall: 0, passed: false, validity: 'valid', reason: 'below_threshold', dimensions: [], metrics: [] },
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
      compared: { expected: { text: '6' }, actual: { text: '3' } },
    },
  ],
};

beforeEach(() => {
  server.on(routes.runs.get, runOf());
  server.on(routes.runs.agents, { items: [agentOf(300, 'alpha'), agentOf(301, 'beta')], position: 0 });
  server.on(routes.attempts.scorecard, ({ params }) => ({
    ...{
      attempt_id: params.attempt_id ?? '',
      state: 'ready' as const,
      revision: 1,
      evaluation_spec_id: null,
    },
    ...{ spec_hash: null, evidence_hash: null, scored_at: null, scorecard: CARD, failure: null },
  }));
});

function openFailures(query = ''): ReturnType<typeof openApp> {
  requests = server.on(routes.runs.failures, ({ query: { cursor } }) =>
    cursor === undefined ? page(FIRST, 'next') : page(REST),
  );
  return openApp(`/runs/${RUN}/failures${query}`);
}

type Sent = readonly { query: Readonly<Record<string, string>> }[];
let requests: Sent = [];

/** Strict mode sends the requests of a first rendering twice. */
const cursorsOf = (sent: Sent) => [...new Set(sent.map(({ query }) => query.cursor))];

const groups = async () => {
  const list = await screen.findByRole('list', { name: 'Groups of failures' });
  return [...list.children] as HTMLElement[];
};

test('the failures of all pages are groups of agent and reason, with counts and one example', async () => {
  openFailures();
  const [first, second, ...others] = await groups();
  if (first === undefined || second === undefined) throw new Error('no groups');
  expect(others).toEqual([]);
  await within(first).findByText('expected 6, got 3');
  expect(first.textContent).toBe(
    'alpha wrong output: sum  4 attempts, 2 casesExample: peruexpected 6, got 3',
  );
  expect(second.textContent).toContain('beta time limit platform 1 attempt, 1 case');
  expect(screen.getByText('2 groups, 5 failed attempts')).toBeTruthy();
  expect(cursorsOf(requests)).toEqual([undefined, 'next']);
  const again = screen.getByRole('link', { name: 'Rerun failed cases' });
  expect(again.getAttribute('href')).toBe(`/runs/new?like=${RUN}&only_failed=${RUN}`);
});

test('failures are read again when the run has ended while its failures were shown', async () => {
  server.on(routes.runs.get, runOf({ status: 'running', finished_at: null }));
  server.on(routes.runs.failures, page<Failure>([]));
  openApp(`/runs/${RUN}/failures`);
  await screen.findByText('Failures are classified after the run has been ranked');
  server.on(routes.runs.failures, page(REST));
  server.on(routes.runs.get, runOf());
  expect(await screen.findByText('1 group, 1 failed attempt')).toBeTruthy();
});

test('an opened group has a link to an attempt of each case, and to all attempts of a case', async () => {
  const user = openFailures();
  await groups();
  const summary = button(/^alpha wrong output/);
  expect(summary.getAttribute('aria-expanded')).toBe('false');
  await user.click(summary);
  expect(summary.getAttribute('aria-expanded')).toBe('true');
  const members = document.getElementById(summary.getAttribute('aria-controls') ?? '') as HTMLElement;
  const links = within(members).getAllByRole('link');
  expect(links.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['peru', `/attempts/${id(401)}`],
    ['3 attempts', `/runs/${RUN}/cases/peru?agent=${id(300)}`],
    ['malta', `/attempts/${id(402)}`],
  ]);
  await user.click(summary);
  expect(members.isConnected).toBe(false);
});

test('the failures are filtered by agent, by reason and by a text, all of which are in the address', async () => {
  const user = openFailures('?reason=wrong+output%3A+sum');
  expect(await groups()).toHaveLength(1);
  await user.type(field('Search'), 'MALTA');
  await waitFor(() => expect(screen.getByText('1 group, 1 failed attempt')).toBeTruthy());
  expect(new URLSearchParams(location.search).get('q')).toBe('MALTA');
  await user.selectOptions(field('Agent'), 'beta');
  await screen.findByText('No failures match');
  await user.click(button('Clear filters'));
  expect(await groups()).toHaveLength(2);
  expect(location.search).toBe('');
});

test('the first 2,000 of very many failures are grouped, and the screen has a note of it', async () => {
  const many = server.on(routes.runs.failures, ({ query: { cursor = '' } }) => {
    const items = Array.from({ length: 200 }, (_, at) => failureOf(300, `case ${cursor} ${at}`));
    return page(items, `${cursor}x`);
  });
  openApp(`/runs/${RUN}/failures`);
  await screen.findByText(/^Only the first 2,000 failures are grouped/);
  expect(screen.getByText('1 group, 2,000 failed attempts')).toBeTruthy();
  expect(cursorsOf(many)).toHaveLength(10);
});
