import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { capturesOf } from '../../testing/attempt-fixtures.js';
import { heldBack } from '../../testing/fake-server.js';
import { agentOf, attemptOf, id, page, RUN, runOf } from '../../testing/fixtures.js';
import { field, heading, openApp, server, stepsAt } from '../../testing/open-app.js';

const [ALPHA, BETA] = [id(300), id(301)];
const STORED = {
  ...{ revision: 1, evaluation_spec_id: null, spec_hash: null, evidence_hash: null, scored_at: null },
  failure: null,
};
const RIGHT = 'The capital of Peru is Lima.';
const OUTPUTS: Record<string, string> = {
  [id(400)]: 'The capital of Peru is Quito.',
  [id(401)]: RIGHT,
  [id(402)]: RIGHT,
};
const beta = { run_agent_id: BETA, agent_name: 'beta', passed: true };
const ATTEMPTS = [
  attemptOf(400, { passed: false }),
  attemptOf(401, { ...beta, repetition: 1 }),
  attemptOf(402, { ...beta, repetition: 2 }),
];
const cell = (case_key: string, successes: number) => ({
  case_key,
  overall: successes,
  trials: 1,
  successes,
});
const LANES: Record<string, object> = {
  [ALPHA]: { cases: [cell('chile', 1), cell('malta', 0), cell('peru', 0)] },
  [BETA]: { cases: [cell('chile', 1), cell('malta', 1), cell('peru', 1)] },
};

beforeEach(() => {
  server.on(routes.runs.get, runOf());
  server.on(routes.runs.agents, { items: [agentOf(300, 'alpha'), agentOf(301, 'beta')], position: 0 });
  server.on(routes.runAgents.scorecard, ({ params }) => ({
    ...STORED,
    ...{ state: 'ready' as const, run_agent_id: params.run_agent_id ?? '' },
    scorecard: { ...LANES[params.run_agent_id ?? ''] },
  }));
  server.on(routes.runs.attempts, ({ query }) =>
    page(ATTEMPTS.map((attempt) => ({ ...attempt, case_key: query.case_key ?? 'peru' }))),
  );
  server.on(routes.versions.manifest, {});
  server.on(routes.attempts.get, ({ params: { attempt_id = '' } }) => ({
    ...(ATTEMPTS.find((attempt) => attempt.id === attempt_id) ?? attemptOf(400)),
    ...{ deliveries: [], snapshot: null, final_output: OUTPUTS[attempt_id] ?? null },
    stored_case: {
      kind: 'case_document',
      document: {
        inputs: [{ key: 'country', kind: 'text', value: 'Peru' }],
        expectations: [{ key: 'sentence', kind: 'text', value: RIGHT }],
      },
    },
  }));
  server.on(routes.attempts.events, capturesOf({}));
  server.on(routes.attempts.replay, ({ params, query }) => {
    expect(query).toMatchObject({ limit: '1' });
    const task = { title: 'Capitals', instructions: 'Name the **capital**.' };
    const step = {
      ...{
        number: 1,
        type: 'system.run',
        status: 'completed' as const,
        source: 'worker_engine',
        step_index: null,
      },
      ...{ started_at: ATTEMPTS[0]?.started_at ?? '', finished_at: null, duration_ms: null },
      ...{ sequence_numbers: [1], input: { task }, result: null },
    };
    return { ...page([step], 'more'), attempt_id: params.attempt_id ?? '', delivery: 1 };
  });
  server.on(routes.attempts.scorecard, ({ params: { attempt_id = '' } }) => ({
    ...STORED,
    ...{ state: 'ready' as const, attempt_id },
    scorecard: {
      ...{ overall: 0, passed: false, reason: 'below_threshold', validity: 'valid', strategy: 'weighted' },
      validators:
        attempt_id === id(400)
          ? [
              {
                ...{
                  key: 'right',
                  type: 'exact_match',
                  state: 'available',
                  verdict: 'fail',
                  reason: 'not_equal',
                },
                compared: { expected: { text: 'Lima' }, actual: { text: 'Quito' } },
              },
            ]
          : [],
    },
  }));
});

const outputOf = (name: string) => screen.findByRole('article', { name: `output of ${name}` });

test('the case has the task, the expected value and the outputs of all agents, with the words that differ', async () => {
  openApp(`/runs/${RUN}/cases/peru?agent=${ALPHA}`);
  await heading('Case peru');
  const alpha = await outputOf('alpha');
  await waitFor(() => expect(alpha.querySelector('del')?.textContent).toBe('Lima'));
  expect(alpha.querySelector('ins')?.textContent).toBe('Quito');
  expect(alpha.textContent).toContain('failed');
  expect(alpha.textContent).toContain('expected Lima, got Quito');
  expect(within(alpha).getByRole('link', { name: 'Transcript of alpha' }).getAttribute('href')).toBe(
    `/attempts/${id(400)}`,
  );
  const beta = await outputOf('beta');
  expect(beta.textContent).toContain(RIGHT);
  expect(beta.querySelector('del')).toBeNull();
  expect(screen.getByRole('region', { name: 'Task' }).textContent).toContain('Name the capital.');
  expect(screen.getByRole('region', { name: 'Expected' }).textContent).toContain(RIGHT);
});

test('captured files are beside those of the other agents, and compared with the same file of one of them', async () => {
  const codes = { [id(400)]: 'return a - b\n', [id(401)]: 'return a + b\n' };
  server.on(routes.attempts.events, ({ params: { attempt_id = '' } }) =>
    capturesOf({ 'solution.py': codes[attempt_id] ?? '' }),
  );
  const user = openApp(`/runs/${RUN}/cases/peru`);
  const [alpha, beta] = [await outputOf('alpha'), await outputOf('beta')];
  const own = await within(alpha).findByRole('figure', { name: 'solution.py of alpha' });
  expect(own.querySelector('pre')?.textContent).toBe('return a - b\n');
  await user.selectOptions(field('Compare outputs with'), 'alpha');
  const files = await within(beta).findByRole('region', { name: 'Files of beta' });
  await waitFor(() => expect(files.querySelector('del')?.textContent).toBe('-'));
  expect(files.querySelector('ins')?.textContent).toBe('+');
});

test('outputs are compared with the output of an agent, and the choice is in the address', async () => {
  const user = openApp(`/runs/${RUN}/cases/peru`);
  const beta = await outputOf('beta');
  await user.selectOptions(field('Compare outputs with'), 'alpha');
  await waitFor(() => expect(beta.querySelector('del')?.textContent).toBe('Quito'));
  expect(location.search).toBe(`?against=${ALPHA}`);
  await user.selectOptions(field('Compare outputs with'), 'nothing');
  await waitFor(() => expect(beta.querySelector('del')).toBeNull());
});

test('the repetitions of an agent are one press away, and each has its verdict', async () => {
  const user = openApp(`/runs/${RUN}/cases/peru`);
  const beta = await outputOf('beta');
  const second = within(beta).getByRole('button', { name: /passed #2/ });
  await user.click(second);
  expect(second.getAttribute('aria-pressed')).toBe('true');
  expect(within(beta).getByRole('link', { name: 'Transcript of beta #2' }).getAttribute('href')).toBe(
    `/attempts/${id(402)}`,
  );
});

test('cases are stepped through by button and by key, all or only those in which agents differ', async () => {
  const user = openApp(`/runs/${RUN}/cases/chile`);
  await stepsAt('1 of 3');
  await user.keyboard('j');
  await heading('Case malta');
  await user.click(await screen.findByRole('link', { name: 'Next case' }));
  await heading('Case peru');
  await user.keyboard('{ArrowLeft}');
  await heading('Case malta');
  await user.keyboard('k');
  await heading('Case chile');
  await user.click(field('Only cases that differ'));
  expect(location.search).toBe('?only=different');
  await user.keyboard('{ArrowRight}');
  await heading('Case malta');
  expect(location.search).toBe('?only=different');
  await stepsAt('1 of 2');
});

test('the steps between cases stay, though the status of the run is known late', async () => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  server.on(routes.runs.get, async () => {
    await held;
    return runOf();
  });
  const user = openApp(`/runs/${RUN}/cases/chile`);
  await screen.findByText('Name the', { exact: false });
  expect(screen.queryByText('1 of 3')).toBeNull();
  release();
  await stepsAt('1 of 3');
  await user.keyboard('j');
  await heading('Case malta');
});

test('the steps between cases appear with their order, not before the scorecards are known', async () => {
  const { reply, release } = heldBack(undefined);
  server.on(routes.runAgents.scorecard, async ({ params: { run_agent_id = '' } }) => {
    if (run_agent_id === BETA) await reply();
    return { ...STORED, state: 'ready' as const, run_agent_id, scorecard: { ...LANES[run_agent_id] } };
  });
  server.on(routes.runs.attempts, ({ query }) =>
    page(['chile', 'malta', 'peru'].map((case_key, at) => attemptOf(500 + at, { case_key, ...query }))),
  );
  openApp(`/runs/${RUN}/cases/malta?order=hardest`);
  await screen.findByText('Name the', { exact: false });
  expect(screen.queryByText(/of 3$/)).toBeNull();
  release();
  await stepsAt('1 of 3');
});

test('a case that no agent has leads back to the matrix, and the earlier address of a case to its page', async () => {
  server.on(routes.runs.attempts, page([]));
  openApp(`/runs/${RUN}/agents/${ALPHA}/case?case=a%20b`);
  await heading('Case a b');
  await screen.findByText('No agent of this run has this case');
  expect(`${location.pathname}${location.search}`).toBe(`/runs/${RUN}/cases/a%20b?agent=${ALPHA}`);
});

test('a broken pack is reported on the page of a case, and an attempt without a score shows none', async () => {
  const error = {
    ...{
      validator: 'n',
      type: 'numeric_match',
      reason: 'invalid_expected',
      expected_from: null,
      value: null,
    },
    message: 'validator n cannot read it',
  };
  server.on(routes.runs.get, runOf({ pack_errors: [{ ...error, attempts: 3, case_key: 'peru' }] }));
  server.on(
    routes.runs.attempts,
    page([attemptOf(400, { overall: null, passed: null, validity: 'invalid', pack_error: error })]),
  );
  openApp(`/runs/${RUN}/cases/peru`);
  expect((await screen.findByRole('alert')).textContent).toContain('validator n cannot read it');
  const alpha = await outputOf('alpha');
  expect(alpha.textContent).toContain('not graded');
  expect(alpha.textContent).not.toContain('overall');
});
