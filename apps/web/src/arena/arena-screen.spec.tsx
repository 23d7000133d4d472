import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { problem } from '../testing/fake-server.js';
import { agentOf, id, progressOf, RUN, runOf } from '../testing/fixtures.js';
import { button, field, openApp, server } from '../testing/open-app.js';
import { RunStream } from '../testing/run-stream.js';

const ALPHA = id(300);
const NOTHING_YET = { total: 2, finished: 0, scored: 0, graded: 0, passed: 0, by_outcome: {}, queued: 2 };
const RUNNING = runOf({ status: 'running', finished_at: null, progress: progressOf(NOTHING_YET) });

let stream: RunStream;

beforeEach(() => {
  stream = new RunStream();
  server.on(routes.runs.get, RUNNING);
  const progress = progressOf(NOTHING_YET);
  const agents = [
    agentOf(300, 'alpha', { progress, overall_so_far: null }),
    agentOf(301, 'beta', { progress, overall_so_far: null }),
  ];
  server.on(routes.runs.agents, { items: agents, position: 0 });
  server.on(routes.runs.events, stream.open);
  for (const route of [routes.runs.ranking])
    server.on(route, { run_id: RUN, state: 'pending', revision: null, items: [] });
});

function send(event_type: string, payload: object, attempt = 1): void {
  const of = {
    run_agent_id: ALPHA,
    attempt_id: id(400 + attempt),
    case_key: `case ${attempt}`,
    repetition: 1,
  };
  stream.send(event_type, payload, of);
}

function start(attempt = 1): void {
  send('attempt.state_changed', { from: 'queued', to: 'preparing' }, attempt);
  send('attempt.state_changed', { from: 'preparing', to: 'running' }, attempt);
  send('system.run.started', {}, attempt);
}

function finish(attempt: number, score: { passed: boolean | null; overall: number | null }): void {
  send('system.run.completed', { outcome: 'completed', usage: { total: 1_200 }, cost_usd: 0.5 }, attempt);
  send('attempt.state_changed', { from: 'running', to: 'finished', reason: 'completed' }, attempt);
  send('run.attempt_scored', score, attempt);
}

async function openRace() {
  const user = openApp(`/runs/${RUN}/arena`);
  await screen.findByText('Connecting …');
  await waitFor(() => expect(stream.connections.length).toBeGreaterThan(0));
  return user;
}

const lane = (name: string) => screen.getByRole('listitem', { name: `Lane ${name}` });
const figure = (name: string, of: string) =>
  within(lane(of)).getByText(name, { selector: 'dt' }).parentElement?.querySelector('dd')?.textContent;

test('a lane shows its running attempt with step and tool, and its figures after the score', async () => {
  await openRace();
  start();
  send('tool.call.started', {
    tool_name: 'read_file',
    arguments: { path: 'a.txt' },
    call_id: 'c1',
    step_index: 2,
  });
  await screen.findByText('Live');
  const running = await within(lane('alpha')).findByRole('list', { name: 'Running attempts' });
  await waitFor(() => expect(running.textContent).toContain('read_file'));
  expect(within(running).getByRole('link', { name: 'case 1' }).getAttribute('href')).toBe(
    `/attempts/${id(401)}`,
  );
  finish(1, { passed: true, overall: 0.75 });
  await waitFor(() => expect(figure('done', 'alpha')).toBe('1/2'));
  expect(figure('passed', 'alpha')).toBe('1');
  expect(figure('tokens', 'alpha')).toBe('1.2K');
  expect(figure('cost', 'alpha')).toBe('$0.50');
  expect(within(lane('alpha')).getByText('0.750')).toBeTruthy();
  expect(figure('done', 'beta')).toBe('0/2');
});

test('what agents and tools write is shown as text, never as markup', async () => {
  await openRace();
  start();
  send('model.call.completed', { call_id: 'c1', text: '<img src=x onerror=alert(1)>' });
  const tail = await within(lane('alpha')).findByRole('list', { name: 'Last events of alpha' });
  await waitFor(() => expect(tail.textContent).toContain('<img src=x onerror=alert(1)>'));
  expect(tail.querySelector('img')).toBeNull();
});

test('text that a model streams appears before the call is complete, and is replaced by it', async () => {
  await openRace();
  start();
  const delta = {
    event_type: 'model.output.delta',
    run_agent_id: ALPHA,
    case_key: 'case 1',
    payload: { call_id: 'c1', kind: 'text', text: 'Par' },
  };
  stream.sendDelta(delta);
  const tail = await within(lane('alpha')).findByRole('list', { name: 'Last events of alpha' });
  await waitFor(() => expect(tail.textContent).toContain('Par'));
  send('model.call.completed', { call_id: 'c1', text: 'Paris' });
  await waitFor(() =>
    expect(
      within(tail)
        .getAllByRole('listitem')
        .map((line) => line.textContent),
    ).toEqual(['case 1 ›assistant Paris']),
  );
});

test('the newest results come first, and can be narrowed to failures', async () => {
  const user = await openRace();
  await screen.findByText('No results yet');
  start(1);
  finish(1, { passed: true, overall: 1 });
  start(2);
  finish(2, { passed: false, overall: 0 });
  const results = screen.getByRole('region', { name: 'Latest results' });
  const cases = () =>
    within(results)
      .getAllByRole('link')
      .map(({ textContent }) => textContent);
  await waitFor(() => expect(cases()).toEqual(['case 2', 'case 1']));
  await user.click(field('Failures only'));
  expect(cases()).toEqual(['case 2']);
});

test('a lost connection is reported, and the next one continues after the last event', async () => {
  const connections = server.on(routes.runs.events, stream.open);
  await openRace();
  start();
  await screen.findByText('Live');
  stream.break();
  await screen.findByText('Connection lost; reconnecting. No event will be missed.');
  await waitFor(() => expect(stream.connections).toHaveLength(connections.length));
  await waitFor(() => expect(connections.at(-1)?.headers.get('last-event-id')).toBe('3'));
  finish(1, { passed: true, overall: 1 });
  await screen.findByText('Live');
  await waitFor(() => expect(figure('done', 'alpha')).toBe('1/2'));
});

test('the end of a race is reported, and the run is read again', async () => {
  await openRace();
  start();
  await screen.findByText('Live');
  server.on(routes.runs.events, () => new Response(null, { status: 204 }));
  server.on(routes.runs.get, runOf());
  stream.close();
  await screen.findByText('The race has ended.');
  await screen.findByText('completed');
});

test('a retry that is over before the run is read again is followed, too', async () => {
  server.on(routes.runs.get, runOf());
  const user = await openRace();
  start();
  await within(lane('alpha')).findByRole('link', { name: 'case 1' });
  const over = () => new Response(null, { status: 204 });
  server.on(routes.runs.events, over);
  stream.close();
  await screen.findByText('The race has ended.');
  const again = server.on(routes.runs.events, over);
  server.on(routes.runs.retry, { ...runOf({ status: 'running' }), retried: 1 });
  server.on(routes.runs.get, runOf({ finished_at: '2026-01-02T04:00:00.000Z' }));
  await user.click(button('Retry failed attempts'));
  const dialog = screen.getByRole('dialog', { name: 'Retry failed attempts?' });
  await user.click(within(dialog).getByRole('button', { name: 'Retry failed attempts' }));
  await waitFor(() => expect(again.map(({ headers }) => headers.get('last-event-id'))).toEqual(['3']));
});

test('a paused race is not called live, and its lanes have no estimate of their end', async () => {
  const progress = progressOf(NOTHING_YET);
  server.on(routes.runs.get, runOf({ status: 'paused', finished_at: null, progress }));
  await openRace();
  start();
  finish(1, { passed: true, overall: 0.75 });
  const status = await screen.findByText('Paused: no attempt starts until the run is resumed.');
  expect(status.dataset.connection).toBe('paused');
  await waitFor(() => expect(figure('done', 'alpha')).toBe('1/2'));
  expect(figure('ETA', 'alpha')).toBe('–');
  expect(screen.queryByText('Live')).toBeNull();
});

test('the lanes are in the order of the provisional ranking', async () => {
  await openRace();
  const names = () =>
    screen.getAllByRole('listitem', { name: /^Lane / }).map((card) => card.getAttribute('aria-label'));
  expect(names()).toEqual(['Lane alpha', 'Lane beta']);
  const beta = {
    run_agent_id: id(301),
    ...{ attempt_id: id(410), case_key: 'case 1', repetition: 1 },
  };
  stream.send('attempt.state_changed', { from: 'queued', to: 'preparing' }, beta);
  stream.send('attempt.state_changed', { from: 'preparing', to: 'running' }, beta);
  stream.send('attempt.state_changed', { from: 'running', to: 'finished', reason: 'completed' }, beta);
  stream.send('run.attempt_scored', { passed: true, overall: 1 }, beta);
  await waitFor(() => expect(names()).toEqual(['Lane beta', 'Lane alpha']));
});

test('an attempt that awaits a human turn is counted in its lane', async () => {
  await openRace();
  start();
  send('attempt.state_changed', { from: 'running', to: 'parked' });
  await within(lane('alpha')).findByText('1 awaiting human input');
});

test('a stream that the server denies is an error with its reason', async () => {
  server.on(routes.runs.events, () => problem('forbidden', 'The token may not read this run.'));
  openApp(`/runs/${RUN}/arena`);
  expect((await screen.findByRole('alert')).textContent).toContain('The token may not read this run.');
});

test('a long race that has ended shows its figures and the matrix instead of its history', async () => {
  server.on(routes.runs.get, runOf());
  server.on(routes.runs.agents, { items: [agentOf(300, 'alpha')], position: 6_000 });
  const empty = { state: 'pending' as const, revision: null, evaluation_spec_id: null, spec_hash: null };
  const nothing = { evidence_hash: null, scored_at: null, scorecard: null, failure: null };
  server.on(routes.runAgents.scorecard, { ...empty, ...nothing, run_agent_id: ALPHA });
  const connections = server.on(routes.runs.events, stream.open);
  openApp(`/runs/${RUN}/arena`);
  await screen.findByText('The matrix is available after scoring.');
  expect(within(lane('alpha')).getByRole('img').getAttribute('aria-label')).toBe(
    '10 of 10 attempts finished, 7 passed',
  );
  expect(connections).toHaveLength(0);
  expect(button('Re-score')).toBeTruthy();
});
