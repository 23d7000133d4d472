import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import {
  ATTEMPT,
  FULL,
  PEER,
  replayOf,
  STORED,
  serveAttempts,
  step,
} from '../../testing/attempt-fixtures.js';
import { attemptOf, id, page, runOf } from '../../testing/fixtures.js';
import { button, field, openApp, server, stepsAt } from '../../testing/open-app.js';

beforeEach(() => void serveAttempts(server));

const LONG = 'x'.repeat(5_000);

const CONVERSATION = [
  step(1, 'system.run', { input: { task: { title: 'Capitals', instructions: 'Name the **capital**.' } } }),
  step(2, 'model.call', {
    input: {
      sent: {
        messages: [
          { role: 'system', text: 'You are a geographer.' },
          { role: 'user', text: 'Capital of Peru?' },
        ],
      },
    },
    result: {
      ...{ text: 'I look it **up** [here](https://elsewhere.example/x).', model: 'm-1', cost_usd: 0.02 },
      tool_calls: [{ id: 't1', name: 'look_up', arguments: { country: 'Peru' } }],
      ...{ usage: { input: 1_200, output: 30 }, timing: { queued_ms: 0, ttft_ms: 400, total_ms: 1_400 } },
    },
  }),
  step(3, 'tool.call', {
    input: { tool_call_id: 't1', tool_name: 'look_up' },
    result: { result: LONG.slice(0, 4_000) },
    cuts: [{ at: ['result', 'result'], event: 7, length: 5_000 }],
  }),
];

const turns = async () =>
  (await screen.findByRole('list', { name: 'Transcript' })).querySelectorAll('article');

test('an attempt opens with task, expected value and output, and its transcript from the system message on', async () => {
  server.on(routes.attempts.replay, replayOf(ATTEMPT, CONVERSATION));
  server.on(routes.attempts.get, {
    ...FULL,
    stored_case: {
      kind: 'case_document',
      document: { expectations: [{ key: 'capital', kind: 'text', value: 'Sucre' }] },
    },
  });
  openApp(`/attempts/${ATTEMPT}`);
  const [system, user, reply] = await turns();
  expect(system?.textContent).toContain('You are a geographer.');
  expect(user?.textContent).toContain('Capital of Peru?');
  expect(reply?.textContent).toContain('m-1 · 1.2K in · 30 out · $0.02 · 1.4 s · first token 400 ms');
  expect(reply?.querySelector('p strong')?.textContent).toBe('up');
  expect(reply?.querySelector('p code')?.textContent).toBe('https://elsewhere.example/x');
  expect(reply?.querySelector('a[href^="https:"]')).toBeNull();
  expect(reply?.textContent).toContain('"country": "Peru"');
  expect(screen.getByRole('region', { name: 'Task' }).textContent).toContain('Name the capital.');
  expect(screen.getByRole('region', { name: 'Expected' }).textContent).toContain('Sucre');
  expect(screen.getByRole('region', { name: 'Output' }).textContent).toContain('Lima');
  expect(
    within(reply as HTMLElement)
      .getByRole('link', { name: /^events/ })
      .getAttribute('href'),
  ).toBe(`/attempts/${ATTEMPT}?tab=events&event=4`);
});

test('an expectation in a file has its name, and its text on request', async () => {
  server.on(routes.attempts.get, {
    ...FULL,
    stored_case: {
      kind: 'case_document',
      document: {
        expectations: [{ key: 'good', kind: 'file', artifact_key: 'good' }],
        assets: [{ key: 'good', path: 'good.txt', media_type: 'text/plain', artifact_id: id(7) }],
      },
    },
  });
  const loads = server.on(routes.artifacts.content, () => new Response('Lima'));
  const user = openApp(`/attempts/${ATTEMPT}`);
  const expected = await screen.findByRole('region', { name: 'Expected' });
  expect(expected.textContent).toContain('good.txt');
  await user.click(within(expected).getByRole('button', { name: 'Show good' }));
  const shown = await within(expected).findByRole('figure', { name: 'good' });
  expect(shown.querySelector('pre')?.textContent).toBe('Lima');
  expect(loads.map(({ params }) => params.artifact_id)).toEqual([id(7)]);
});

test('a text that is not whole is loaded from its event when it is opened', async () => {
  server.on(routes.attempts.replay, replayOf(ATTEMPT, CONVERSATION));
  const loads = server.on(routes.attempts.payload, () => Response.json({ result: LONG }));
  const user = openApp(`/attempts/${ATTEMPT}`);
  await turns();
  const shown = screen.getByRole('figure', { name: 'result of look_up in turn 3' });
  expect(shown.textContent).not.toContain(LONG);
  expect(loads).toHaveLength(0);
  await user.click(button('Show all 5,000 characters of result of look_up in turn 3'));
  await waitFor(() => expect(shown.textContent).toContain(LONG));
  expect(loads.map(({ params }) => params.sequence_number)).toEqual(['7']);
});

test('a turn is found by its words, and shown as plain text on request', async () => {
  server.on(routes.attempts.replay, replayOf(ATTEMPT, CONVERSATION));
  const user = openApp(`/attempts/${ATTEMPT}`);
  await turns();
  await user.click(field('As plain text'));
  expect((await turns())[2]?.textContent).toContain('I look it **up** [here]');
  await user.type(field('Find in transcript'), 'GEOGRAPHER');
  await screen.findByText('1 of 3 turns');
  expect(location.search).toBe('?words=GEOGRAPHER');
  await user.type(field('Find in transcript'), ' x');
  await screen.findByText('No turns match');
});

test('an attempt of a thousand turns renders those in view alone', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) =>
    step(index + 1, 'model.call', { result: { text: `reply ${index}`, tool_calls: [] } }),
  );
  server.on(routes.attempts.replay, replayOf(ATTEMPT, many));
  openApp(`/attempts/${ATTEMPT}`);
  await screen.findByText('1,000 turns');
  expect((await turns()).length).toBeLessThan(100);
});

test('a failed check is a sentence with the difference of what it compared', async () => {
  const validator = (key: string, more: object) => ({
    key,
    type: 'exact_match',
    state: 'available',
    ...more,
  });
  const long = (end: string) => `${'word '.repeat(40)}${end}`;
  const card = (validators: object[]) => ({
    ...STORED,
    ...{ state: 'ready' as const, attempt_id: ATTEMPT },
    scorecard: {
      ...{ overall: 0.5, passed: false, reason: 'below_threshold', validity: 'valid', strategy: 'weighted' },
      validators,
    },
  });
  const failed = [
    validator('sum', {
      ...{ verdict: 'fail', reason: 'not_equal' },
      compared: { expected: { text: '6' }, actual: { text: '3' } },
    }),
    validator('text', {
      ...{ verdict: 'fail', reason: 'not_equal' },
      compared: { expected: { text: long('six') }, actual: { text: long('three') } },
    }),
    validator('ran', { verdict: 'fail', reason: 'no_such_file' }),
    validator('fine', { verdict: 'pass' }),
  ];
  server.on(routes.attempts.scorecard, card(failed));
  openApp(`/attempts/${ATTEMPT}`);
  const panel = await screen.findByRole('region', { name: 'Failed checks (3)' });
  const [sum, text, ran] = within(panel).getAllByRole('listitem');
  expect(sum?.textContent).toContain('expected 6, got 3');
  const diff = within(text as HTMLElement).getByRole('figure', { name: 'difference of text' });
  expect([diff.querySelector('del')?.textContent, diff.querySelector('ins')?.textContent]).toEqual([
    'six',
    'three',
  ]);
  expect(ran?.textContent).toContain('no such file');
});

test('the agents of the case are one click away, and the cases of the agent one key', async () => {
  const cases = [
    attemptOf(410, { case_key: 'chile' }),
    FULL,
    attemptOf(411, { case_key: 'qatar' }),
    attemptOf(412, { case_key: 'rome', repetition: 2 }),
  ];
  server.on(routes.runs.attempts, ({ query }) =>
    page(query.run_agent_id === undefined ? [FULL, { ...FULL, id: PEER, agent_name: 'beta' }] : cases),
  );
  server.on(routes.attempts.get, ({ params }) => ({
    ...FULL,
    ...[...cases, { ...FULL, id: PEER, agent_name: 'beta' }].find((each) => each.id === params.attempt_id),
  }));
  const user = openApp(`/attempts/${ATTEMPT}?tab=scores`);
  const agents = await screen.findByRole('navigation', { name: 'Agents of this case' });
  expect(within(agents).getByRole('link', { name: /beta/ }).getAttribute('href')).toBe(
    `/attempts/${PEER}?tab=scores`,
  );
  expect(within(agents).getByRole('link', { name: 'All side by side' }).getAttribute('href')).toBe(
    `/runs/${id(100)}/cases/peru`,
  );
  await stepsAt('2 of 3');
  await user.keyboard('j');
  await screen.findByRole('heading', { level: 1, name: 'alpha on qatar' });
  await stepsAt('3 of 3');
  await user.keyboard('{ArrowRight}');
  await user.keyboard('k');
  await screen.findByRole('heading', { level: 1, name: 'alpha on peru' });
  await stepsAt('2 of 3');
  await user.keyboard('{ArrowLeft}');
  await screen.findByRole('heading', { level: 1, name: 'alpha on chile' });
  expect(location.search).toBe('?tab=scores');
});

test('a broken pack is reported on the attempt, which shows no score', async () => {
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
  server.on(routes.attempts.get, {
    ...FULL,
    overall: null,
    passed: null,
    validity: 'invalid',
    pack_error: error,
  });
  openApp(`/attempts/${ATTEMPT}`);
  expect((await screen.findByRole('alert')).textContent).toContain('validator n cannot read it');
  expect(screen.getByText('not graded')).toBeTruthy();
  expect(screen.queryByText(/^overall/)).toBeNull();
});

test.each([
  [`/attempts/${ATTEMPT}/scorecard`, '?tab=scores', 'Scores'],
  [`/attempts/${ATTEMPT}?event=3`, '?event=3', 'Events'],
  [`/attempts/${ATTEMPT}?kind=grading`, '?kind=grading', 'Events'],
])('the earlier address %s still leads to its view', async (address, search, name) => {
  openApp(address);
  const views = await screen.findByRole('navigation', { name: 'Views of the attempt' });
  expect(within(views).getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
  expect([location.pathname, location.search]).toEqual([`/attempts/${ATTEMPT}`, search]);
});
