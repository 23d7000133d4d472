import { type Run, routes } from '@agentclash/api';
import { REPLAY_DIVERGED } from '@agentclash/domain';
import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { heldBack, problem } from '../testing/fake-server.js';
import { attemptOf, id, page, progressOf, RUN, runOf } from '../testing/fixtures.js';
import { button, heading, openApp, pressTwice, server } from '../testing/open-app.js';

/** The failures of a run: the smallest of its screens. */
function openRun(run: Partial<Run>, role: 'viewer' | 'member' | 'admin' = 'admin') {
  server.on(routes.runs.get, runOf(run));
  server.on(routes.runs.failures, page([]));
  return openApp(`/runs/${RUN}/failures`, { role });
}

const ACTION = /^(Pause|Resume|Cancel run|Retry .*|Re-score|Delete)$/;
const actions = () => screen.queryAllByRole('button', { name: ACTION }).map(({ textContent }) => textContent);

const UNFINISHED = { finished_at: null };

test.each<[Partial<Run>, readonly string[]]>([
  [{ status: 'queued', ...UNFINISHED }, ['Cancel run']],
  [{ status: 'running', ...UNFINISHED }, ['Pause', 'Cancel run']],
  [{ status: 'paused', ...UNFINISHED }, ['Resume', 'Cancel run']],
  [{ status: 'completed' }, ['Retry failed attempts', 'Re-score', 'Delete']],
  [{ status: 'completed', progress: progressOf({ passed: 10 }) }, ['Re-score', 'Delete']],
  [
    { status: 'failed', progress: progressOf({ passed: 9, by_outcome: { infra_error: 1, completed: 9 } }) },
    ['Retry infrastructure failures', 'Retry failed attempts', 'Re-score', 'Delete'],
  ],
  [{ status: 'cancelled' }, ['Delete']],
  [
    { status: 'completed', imported: { format: 'jsonl', sha256: '0'.repeat(64), grading: 'recorded' } },
    ['Re-score', 'Delete'],
  ],
  [
    { status: 'completed', progress: progressOf({ total: 10, finished: 7, passed: 7, skipped: 3 }) },
    ['Re-score', 'Delete'],
  ],
])('the status of a run determines its actions: %j', async (run, expected) => {
  openRun(run);
  await heading('nightly');
  await waitFor(() => expect(actions()).toEqual(expected));
});

const DIVERGED = { code: REPLAY_DIVERGED, message: 'model call 2 differs', retryable: false };
const LOST = { code: 'sandbox_lost', message: 'gone', retryable: true };

test.each([
  ['is not offered for a replay whose attempts all differ from the recorded ones', [DIVERGED], false],
  ['is offered for a replay that also lost a sandbox', [DIVERGED, LOST], true],
])('A retry of infrastructure failures %s', async (_title, errors, isOffered) => {
  const attempts = errors.map((error, at) => attemptOf(400 + at, { outcome: 'infra_error', error }));
  const listed = server.on(routes.runs.attempts, page(attempts));
  openRun({ model_calls: 'replay', progress: progressOf({ by_outcome: { infra_error: errors.length } }) });
  await waitFor(() => expect(listed.length).toBeGreaterThan(0));
  await screen.findByText('No failures');
  const offered = ['Retry infrastructure failures', 'Retry failed attempts', 'Re-score', 'Delete'];
  await waitFor(() => expect(actions()).toEqual(isOffered ? offered : offered.slice(1)));
});

test('a viewer can change nothing, a member everything but delete', async () => {
  openRun({}, 'viewer');
  await screen.findByText('No failures');
  expect(actions()).toEqual([]);
});

test('a member cannot delete a run', async () => {
  openRun({}, 'member');
  await screen.findByText('No failures');
  expect(actions()).toEqual(['Retry failed attempts', 'Re-score']);
});

test('a cancellation is confirmed by a dialog whose buttons name what they do', async () => {
  const cancelled = server.on(routes.runs.cancel, runOf({ status: 'cancelled' }));
  const user = openRun({ status: 'running', ...UNFINISHED });
  await heading('nightly');
  await user.click(await screen.findByRole('button', { name: 'Cancel run' }));
  const dialog = screen.getByRole('dialog', { name: 'Cancel this run?' });
  await user.click(within(dialog).getByRole('button', { name: 'Keep running' }));
  expect(cancelled).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: 'Cancel run' }));
  server.on(routes.runs.get, runOf({ status: 'cancelled' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel run' }));
  await screen.findByText('cancelled');
  expect(cancelled.map(({ params }) => params.run_id)).toEqual([RUN]);
});

test('a retry of failed attempts warns about the scores, and sends which attempts are meant', async () => {
  const retried = server.on(routes.runs.retry, { ...runOf({ status: 'running' }), retried: 3 });
  const user = openRun({});
  await user.click(await screen.findByRole('button', { name: 'Retry failed attempts' }));
  const dialog = screen.getByRole('dialog', { name: 'Retry failed attempts?' });
  expect(dialog.textContent).toContain('gates do not accept it');
  await user.click(within(dialog).getByRole('button', { name: 'Retry failed attempts' }));
  await waitFor(() => expect(retried.map(({ body }) => body)).toEqual([{ only: 'failed' }]));
});

test('a double press pauses a run once, and the run is read again', async () => {
  const { reply, release } = heldBack(runOf({ status: 'paused', ...UNFINISHED }));
  const paused = server.on(routes.runs.pause, reply);
  openRun({ status: 'running', ...UNFINISHED });
  await screen.findByRole('button', { name: 'Pause' });
  server.on(routes.runs.get, runOf({ status: 'paused', ...UNFINISHED }));
  pressTwice('Pause');
  release();
  await screen.findByRole('button', { name: 'Resume' });
  expect(paused).toHaveLength(1);
});

test('an action that the server rejects shows why, and the run stays', async () => {
  server.on(routes.runs.rescore, () => problem('conflict', 'The run is being scored.'));
  const user = openRun({});
  await user.click(await screen.findByRole('button', { name: 'Re-score' }));
  const dialog = await screen.findByRole('dialog', { name: 'Re-score this run?' });
  expect(dialog.textContent).toContain('No attempt runs again');
  await user.click(within(dialog).getByRole('button', { name: 'Re-score' }));
  expect((await screen.findByRole('alert')).textContent).toContain('The run is being scored.');
  expect(button('Re-score').disabled).toBe(false);
});

test('a deleted run leads back to the list', async () => {
  const removed = server.on(routes.runs.remove, () => new Response(null, { status: 204 }));
  server.on(routes.runs.list, page([]));
  const user = openRun({});
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  const dialog = screen.getByRole('dialog', { name: 'Delete nightly?' });
  await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await heading('Runs');
  expect(removed).toHaveLength(1);
});

test('errors of the pack, warnings and a subset of cases are on every screen of the run', async () => {
  openRun({
    warnings: [{ code: 'price_unknown', message: 'The model has no price.' }],
    pack_errors: [
      {
        ...{ validator: 'sum', type: 'json_path_match', reason: 'config.invalid', value: '$[' },
        ...{
          expected_from: 'case.expectation',
          message: 'The path is not valid.',
          attempts: 4,
          case_key: 'one',
        },
      },
    ],
    selective_retry: true,
  });
  await screen.findByText('The model has no price.');
  expect(screen.getByRole('alert').textContent).toContain('pack error');
  expect(screen.getByText('selective retry')).toBeTruthy();
});

test('a recorded run that has ended leads a member to its replay', async () => {
  openRun({ model_calls: 'record' }, 'member');
  const link = await screen.findByRole('link', { name: 'Replay' });
  expect(link.getAttribute('href')).toBe(
    `/runs/new?version=${runOf().challenge_pack_version_id}&replay=${RUN}`,
  );
});

test.each([
  [{ model_calls: 'record' as const }, 'viewer' as const],
  [{ model_calls: 'record' as const, status: 'running' as const, ...UNFINISHED }, 'member' as const],
  [{}, 'member' as const],
])('a run offers no replay that cannot be started: %j to a %s', async (run, role) => {
  openRun(run, role);
  await heading('nightly');
  await screen.findByText(/^No failures|^Failures are classified/);
  expect(screen.queryByRole('link', { name: 'Replay' })).toBeNull();
});

test('a replayed run leads to the recorded run from every one of its screens', async () => {
  openRun({ model_calls: 'replay', replay_from: id(101) });
  server.on(routes.runs.get, ({ params }) =>
    params.run_id === RUN
      ? runOf({ model_calls: 'replay', replay_from: id(101) })
      : runOf({ id: id(101), name: 'the original', model_calls: 'record' }),
  );
  const link = await screen.findByRole('link', { name: 'the original' });
  expect(link.getAttribute('href')).toBe(`/runs/${id(101)}/ranking`);
  expect(screen.getByText(/no new evidence about the models/)).toBeTruthy();
});
