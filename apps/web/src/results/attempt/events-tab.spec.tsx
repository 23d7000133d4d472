import { routes } from '@agentclash/api';
import { divergenceText } from '@agentclash/domain';
import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { ATTEMPT, FULL, PEER, replayOf, STEPS, serveAttempts, step } from '../../testing/attempt-fixtures.js';
import { heldBack, type SentRequest } from '../../testing/fake-server.js';
import { AT, attemptOf, id, page, runOf } from '../../testing/fixtures.js';
import { button, field, openApp, pressTwice, server } from '../../testing/open-app.js';

const AWAITED = { turn_index: 2, phase_id: 'p1', deadline_at: AT, last_message: 'Where to?' };

let pages: readonly SentRequest[];

beforeEach(() => {
  pages = serveAttempts(server);
});

async function open(search = '?tab=events') {
  const user = openApp(`/attempts/${ATTEMPT}${search}`);
  await screen.findByText(/^3 steps|of 3 steps/);
  return user;
}

const timeline = () => screen.getByRole('region', { name: 'Timeline' });
const lines = () =>
  within(timeline())
    .queryAllByRole('listitem')
    .map((line) => line.querySelector('code')?.textContent);

test('all pages of a replay are loaded, the first one small', async () => {
  await open();
  expect(lines()).toEqual(['model.call', 'tool.call', 'sandbox.file.listed']);
  const limits = pages.map(({ query }) => `${query.cursor ?? 'first'} ${query.limit}`);
  expect([...new Set(limits)]).toEqual(['first 50', 'next 200']);
  expect(new Set(pages.map(({ query }) => query.text_max))).toEqual(new Set(['8000']));
});

test('steps that were read just before the end of the attempt are read again', async () => {
  const begun = step(1, 'system.run', { status: 'open', finished_at: null, duration_ms: null });
  let steps = [begun];
  const reads = server.on(routes.attempts.replay, () => replayOf(ATTEMPT, steps));
  const { reply, release } = heldBack(FULL);
  server.on(routes.attempts.get, reply);
  openApp(`/attempts/${ATTEMPT}?tab=events`);
  await waitFor(() => expect(reads.length).toBeGreaterThan(0));
  steps = [step(1, 'system.run'), ...STEPS.slice(1)];
  release();
  await screen.findByText(/^3 steps/);
  expect(lines()).toEqual(['system.run', 'tool.call', 'sandbox.file.listed']);
});

test('steps are narrowed by kind and by text, and both are in the address', async () => {
  const user = await open();
  await user.selectOptions(field('Show'), 'files');
  expect(lines()).toEqual(['sandbox.file.listed']);
  await user.selectOptions(field('Show'), 'all');
  await user.type(field('Search'), 'NO SUCH');
  await screen.findByText('1 of 3 steps');
  expect(lines()).toEqual(['tool.call']);
  expect(location.search).toBe('?tab=events&kind=all&q=NO+SUCH');
  await user.type(field('Search'), ' thing');
  await screen.findByText('No steps match');
});

test('a step opens to its conversation, its text and its JSON, and closes again', async () => {
  const user = await open();
  const summary = within(timeline()).getByRole('button', { name: /model\.call/ });
  await user.click(summary);
  expect(summary.getAttribute('aria-expanded')).toBe('true');
  expect(
    within(screen.getByRole('list', { name: 'messages sent in step 1' })).getByText('Capital of Peru?'),
  ).toBeTruthy();
  expect(screen.getByRole('figure', { name: 'text of step 1' }).textContent).toContain('I read the\nfile.');
  expect(timeline().textContent).toContain('events 2, 3');
  await user.click(summary);
  expect(screen.queryByRole('figure', { name: 'text of step 1' })).toBeNull();
});

const LONG = 'x'.repeat(5_000);

test('the tool uses of a program are shown below its model calls, and open to their bounded results', async () => {
  const tool_calls = [{ id: 't1', name: 'exec_command', arguments: { cmd: 'pytest -q' } }];
  const usage = { input: 1_200, output: 30 };
  server.on(
    routes.attempts.replay,
    replayOf(ATTEMPT, [
      step(1, 'model.call', { result: { text: 'I run them.', tool_calls, usage, cost_usd: 0.02 } }),
      step(2, 'model.call', {
        input: {
          sent: { messages: [{ role: 'tool', tool_call_id: 't1', tool_name: 'exec_command', result: LONG }] },
        },
        result: { text: 'Done.', tool_calls: [], usage: { input: 1_300, output: 5 }, cost_usd: 0.02 },
      }),
    ]),
  );
  const user = openApp(`/attempts/${ATTEMPT}?tab=events`);
  await screen.findByText('2 model calls · 1 tool use · 2.5K tokens in · 35 out · $0.04');
  const uses = screen.getByRole('list', { name: 'tools used in step 1' });
  expect(uses.textContent).toBe('exec_command {"cmd":"pytest -q"}');
  expect(timeline().textContent).toContain('1.2K in · 30 out · $0.02');
  await user.click(within(timeline()).getByRole('button', { name: /I run them/ }));
  const shown = screen.getByRole('figure', { name: 'result of exec_command in step 1' });
  expect(shown.querySelector('pre')?.textContent).toHaveLength(4_000);
  await user.click(within(shown).getByRole('button', { name: 'Show all 5,000 characters' }));
  expect(shown.querySelector('pre')?.textContent).toBe(LONG);
  expect(screen.queryByRole('figure', { name: 'result of step 1' })).toBeNull();
  await user.click(within(timeline()).getByText('JSON'));
  await screen.findByRole('figure', { name: 'result of step 1' });
});

test('the first failure is opened by its button, and by a link to its event', async () => {
  const user = await open();
  await user.click(button('Jump to the first failure'));
  await waitFor(() =>
    expect(within(timeline()).getByRole('button', { expanded: true }).textContent).toContain('no such file'),
  );
  expect(location.search).toBe('?tab=events&event=5');
});

test('a link to an event opens the step that it belongs to', async () => {
  await open('?event=3');
  const opened = await within(timeline()).findByRole('button', { expanded: true });
  expect(opened.textContent).toContain('model.call');
});

test('another attempt of the case is shown beside it, in the rows of the same steps', async () => {
  const user = await open();
  await user.selectOptions(await screen.findByLabelText('Compare with'), 'beta');
  await within(timeline()).findByText('Quito!');
  const [first] = within(timeline()).getAllByRole('listitem');
  expect(first?.textContent).toContain('I read the');
  expect(first?.textContent).toContain('Quito!');
  expect(location.search).toBe(`?tab=events&with=${PEER}`);
  await user.selectOptions(field('Compare with'), 'none');
  expect(within(timeline()).queryByText('Quito!')).toBeNull();
});

test('the number of steps is that of the attempt, also beside one with more steps', async () => {
  server.on(routes.attempts.replay, ({ params }) =>
    replayOf(params.attempt_id ?? '', params.attempt_id === PEER ? STEPS : STEPS.slice(0, 1)),
  );
  openApp(`/attempts/${ATTEMPT}?with=${PEER}`);
  await waitFor(() => expect(within(timeline()).getAllByRole('listitem')).toHaveLength(3));
  expect(screen.getByText(/^1 step/).textContent).toMatch(/^1 step(,|$)/);
});

test('the attempt names its agent and its run, its output and its workspace', async () => {
  await open();
  expect(screen.getByRole('link', { name: 'alpha' }).getAttribute('href')).toBe(
    `/runs/${id(100)}/agents/${id(300)}`,
  );
  const toRun = await screen.findAllByRole('link', { name: 'nightly' });
  expect(toRun.map((link) => link.getAttribute('href'))).toContain(`/runs/${id(100)}/matrix`);
  expect(screen.getByRole('region', { name: 'Final output' }).textContent).toContain('Lima');
  expect(screen.getByText('Workspace snapshot 4.0 KiB')).toBeTruthy();
});

test('an attempt of a replayed run is marked, with the number of replies that it was served', async () => {
  server.on(routes.runs.get, runOf({ model_calls: 'replay', replay_from: id(101) }));
  server.on(routes.attempts.get, { ...FULL, served_calls: 4 });
  await open();
  await screen.findByText('replayed');
  expect(screen.getByText(/4 model replies without a call/)).toBeTruthy();
});

const DIVERGED = {
  ...{ outcome: 'infra_error' as const, passed: null, overall: null },
  error: {
    code: 'replay_diverged',
    message: divergenceText({
      ...{ call: 2, path: 'messages[2].content', expected: '"Explain it."', found: undefined },
    }),
    retryable: false,
  },
};

test('an attempt that diverged from its recording shows the first difference, and leads to the recorded one', async () => {
  server.on(routes.runs.get, runOf({ model_calls: 'replay', replay_from: id(101) }));
  server.on(routes.attempts.get, ({ params }) =>
    params.attempt_id === PEER
      ? { ...FULL, id: PEER, run_id: id(101) }
      : { ...FULL, ...DIVERGED, repetition: 2 },
  );
  const recorded = [
    attemptOf(402, { agent_name: 'beta', repetition: 2 }),
    attemptOf(403),
    { ...attemptOf(401, { repetition: 2 }), run_id: id(101) },
  ];
  const listed = server.on(routes.runs.attempts, ({ params }) =>
    page(params.run_id === id(101) ? recorded : [FULL]),
  );
  const user = await open();
  const panel = await screen.findByRole('region', { name: 'First difference from the recorded attempt' });
  expect(panel.textContent).toContain('Model call 2 differs from the recorded one at messages[2].content');
  expect(panel.textContent).toContain('Expected"Explain it."Foundnothing');
  const link = await within(panel).findByRole('link', { name: 'Compare with the recorded attempt' });
  const ofSource = listed.filter(({ params }) => params.run_id === id(101));
  expect(ofSource.map(({ query }) => query.case_key)).not.toContain(undefined);
  await user.click(link);
  await within(timeline()).findByText('Quito!');
  expect(field('Compare with').value).toBe(PEER);
  await screen.findByText('the recorded attempt', { selector: 'strong' });
});

test('another message of a diverged attempt is shown as it is', async () => {
  const message = 'the recorded attempt made 3 model calls, and this attempt makes a further one';
  server.on(routes.attempts.get, { ...FULL, ...DIVERGED, error: { ...DIVERGED.error, message } });
  await open();
  const panel = screen.getByRole('region', { name: 'First difference from the recorded attempt' });
  expect(panel.textContent).toContain(message);
  expect(within(panel).queryByRole('link')).toBeNull();
});

test('A skipped attempt shows why it has neither steps nor a score', async () => {
  server.on(routes.attempts.get, { ...FULL, state: 'skipped', outcome: null, is_scored: false });
  server.on(routes.attempts.replay, replayOf(ATTEMPT, []));
  openApp(`/attempts/${ATTEMPT}`);
  await screen.findByText(/^The run ended, or its agent left the race, before this attempt was needed/);
  expect(screen.queryByRole('region', { name: 'Timeline' })).toBeNull();
});

test('A scored attempt that is retried later is shown as running again', async () => {
  jest.useFakeTimers({ advanceTimers: true });
  try {
    await open();
    server.on(routes.attempts.get, { ...FULL, state: 'running', outcome: null, delivery: 2 });
    await act(async () => jest.advanceTimersByTime(15_000));
    expect(await screen.findByText('delivery 2')).toBeTruthy();
  } finally {
    jest.useRealTimers();
  }
});

test('a human turn is sent once with its number, and the form is empty afterwards', async () => {
  const parked = { ...FULL, state: 'parked' as const, awaits: AWAITED };
  server.on(routes.attempts.get, parked);
  const turns = server.on(routes.attempts.answer, {
    ...{ attempt_id: ATTEMPT, turn_index: 2, phase_id: 'p1', message: 'Go north' },
    ...{ given_at: AT, given_by: 'laptop' },
  });
  const user = await open();
  await screen.findByText('Turn 2 awaits human input');
  await user.click(button('Send'));
  expect(turns).toHaveLength(0);
  await user.type(field('Reply'), 'Go north');
  pressTwice('Send');
  await waitFor(() => expect(field('Reply').value).toBe(''));
  expect(turns.map(({ body }) => body)).toEqual([{ turn_index: 2, message: 'Go north' }]);
});

test('the next human turn, begun before the screen is refreshed, stays', async () => {
  server.on(routes.attempts.get, { ...FULL, state: 'parked', awaits: AWAITED });
  const { reply, release } = heldBack({
    ...{ attempt_id: ATTEMPT, turn_index: 2, phase_id: 'p1', message: 'Go north' },
    ...{ given_at: AT, given_by: 'laptop' },
  });
  server.on(routes.attempts.answer, reply);
  const user = await open();
  await user.type(field('Reply'), 'Go north');
  await user.click(button('Send'));
  await user.clear(field('Reply'));
  await user.type(field('Reply'), 'Then east');
  release();
  await waitFor(() => expect(button('Send').disabled).toBe(false));
  expect(field('Reply').value).toBe('Then east');
});

test('a viewer learns who may reply', async () => {
  server.on(routes.attempts.get, { ...FULL, state: 'parked', awaits: AWAITED });
  openApp(`/attempts/${ATTEMPT}`, { role: 'viewer' });
  await screen.findByText('Only members of the workspace may reply.');
  expect(screen.queryByLabelText('Reply')).toBeNull();
});

test('an imported attempt is marked, and its calls were not made through the platform', async () => {
  server.on(routes.attempts.get, () => ({
    ...FULL,
    imported: true,
    model_call_count: 3,
    tool_call_count: 1,
  }));
  await open();
  expect(screen.getByText('imported')).toBeTruthy();
  expect(screen.getByText('3 model calls, 1 tool call')).toBeTruthy();
});

test('The replay of a program shows its model calls apart from the tool calls of the platform', async () => {
  server.on(routes.attempts.get, () => ({ ...FULL, model_call_count: 3, tool_call_count: 1 }));
  await open();
  expect(screen.getByText('3 model calls, 1 tool call through the platform')).toBeTruthy();
});
