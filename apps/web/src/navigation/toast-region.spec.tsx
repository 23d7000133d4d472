import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { problem } from '../testing/fake-server.js';
import { page, RUN, runOf } from '../testing/fixtures.js';
import { button, heading, openApp, server } from '../testing/open-app.js';

beforeEach(() => {
  server.on(routes.runs.get, runOf({ number: 42 }));
  server.on(routes.runs.failures, page([]));
});

const region = () => screen.getByRole('status', { name: 'Notifications' });

async function rescore() {
  const user = openApp(`/runs/${RUN}/failures`);
  await heading('#42 nightly');
  await user.click(button('Re-score'));
  const [, confirm] = screen.getAllByRole('button', { name: 'Re-score' });
  if (confirm === undefined) throw new Error('there is no confirmation');
  await user.click(confirm);
  return user;
}

const { created_at, created_by } = runOf();
const rescored = {
  ...{ id: RUN, run_id: RUN, state: 'pending' as const, attempts: 8, scored: 0 },
  ...{ evaluation_spec_id: RUN, created_at, created_by },
};

test('an action that succeeds is reported in the one polite live region, until it is dismissed', async () => {
  const requests = server.on(routes.runs.rescore, rescored);
  const user = await rescore();
  await waitFor(() => expect(region().textContent).toContain('Attempts that are scored again: 8'));
  expect(requests).toHaveLength(1);
  await user.click(button('Dismiss'));
  expect(region().textContent).toBe('');
});

test('an action that fails is no toast: its error stays beside the action', async () => {
  server.on(routes.runs.rescore, () => problem('conflict', 'It is being scored.'));
  await rescore();
  expect((await screen.findByRole('alert')).textContent).toContain('It is being scored.');
  expect(region().textContent).toBe('');
});
