import { routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { problem } from '../testing/fake-server.js';
import { id, page, RUN, runOf, WORKSPACE } from '../testing/fixtures.js';
import { button, heading, openApp, server } from '../testing/open-app.js';
import { AGREEMENT, QUEUE, queueOf, reviewItemOf } from '../testing/review-fixtures.js';

const linkTo = (name: string | RegExp) => screen.getByRole('link', { name }).getAttribute('href');

test('a run that has ended gets a queue, which opens at its first item', async () => {
  server.on(routes.runs.get, runOf());
  server.on(routes.reviews.list, page([]));
  server.on(routes.reviews.get, queueOf());
  server.on(routes.reviews.next, { item: reviewItemOf(1), reviewed: 0, items: 3 });
  const created = server.on(routes.reviews.create, queueOf());
  const user = openApp(`/runs/${RUN}/review`);
  await screen.findByText('No review queues yet');
  expect(linkTo('Review')).toBe(`/runs/${RUN}/review`);
  await user.selectOptions(screen.getByLabelText('Items'), 'single');
  await user.clear(screen.getByLabelText('At most'));
  await user.type(screen.getByLabelText('At most'), '20');
  await user.click(button('Create'));
  await screen.findByRole('heading', { level: 2, name: 'Task: Task 1' });
  expect(created[0]?.body).toEqual({ run_id: RUN, kind: 'single', items_max: 20 });
});

test('a run without anything to review shows why, below the form', async () => {
  server.on(routes.runs.get, runOf());
  server.on(routes.reviews.list, page([]));
  server.on(routes.reviews.create, () => problem('conflict', 'Nothing to review.'));
  const user = openApp(`/runs/${RUN}/review`);
  await user.click(await screen.findByRole('button', { name: 'Create' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Nothing to review.');
});

test('a running run has no tab for reviews, and its address offers no queue', async () => {
  server.on(routes.runs.get, runOf({ status: 'running', finished_at: null }));
  server.on(routes.reviews.list, page([]));
  openApp(`/runs/${RUN}/review`);
  await screen.findByText('A run can be reviewed when it has ended');
  expect(screen.queryByRole('button', { name: 'Create' })).toBeNull();
});

test.each([{ shared_run_id: RUN, results_only: true }, { results_only: true }])(
  'a run that is shared, or of a file, has no tabs for reviews and gates: %j',
  async (session) => {
    server.on(routes.workspaces.whoami, {
      ...{ workspace: WORKSPACE, role: 'viewer', token: { id: id(1), name: 'guest', expires_at: null } },
      ...session,
    });
    server.on(routes.runs.get, runOf());
    server.on(routes.runs.agents, { items: [], position: 0 });
    server.on(routes.runs.failures, page([]));
    openApp(`/runs/${RUN}/failures`);
    const tabs = await screen.findByRole('navigation', { name: 'Views of the run' });
    await within(tabs).findByRole('link', { name: 'Overview' });
    expect(within(tabs).queryByRole('link', { name: /^(Review|Gate)/ })).toBeNull();
  },
);

test('the queues of the workspace are listed with the progress of each person', async () => {
  server.on(
    routes.reviews.list,
    page([queueOf(), queueOf({ id: id(701), name: null, kind: 'single', raters: [] })]),
  );
  server.on(routes.runs.get, runOf());
  openApp('/reviews');
  await heading('Reviews');
  const table = within(await screen.findByRole('table'));
  expect(table.getByText('laptop 1/3')).toBeTruthy();
  expect(linkTo('tone')).toBe(`/reviews/${QUEUE}`);
  expect(linkTo(/^Single outputs/)).toBe(`/reviews/${id(701)}`);
});

test('the agreement has a table for raters and for judges, and applies the votes', async () => {
  server.on(routes.reviews.get, queueOf());
  server.on(routes.reviews.agreement, AGREEMENT);
  server.on(routes.runs.get, runOf());
  const applied = server.on(routes.reviews.apply, {
    ...{ id: id(720), run_id: RUN, evaluation_spec_id: id(721), state: 'pending', scored: 0, attempts: 4 },
    ...{ created_at: '2026-01-02T03:04:05.000Z', created_by: 'laptop' },
  });
  const user = openApp(`/reviews/${QUEUE}/agreement`);
  await heading('Agreement: tone');
  const rowOf = async (name: string) =>
    (await screen.findByRole('row', { name: new RegExp(`^${name} `) })).textContent;
  expect(await rowOf('ada, ben')).toBe('ada, ben50.8000.600');
  expect(await rowOf('clear rubric')).toBe('clearrubric1020.7000.8000.600–');
  expect(await rowOf('alpha')).toBe('alpha11.5170.676');
  expect(screen.getByText('1 of 2')).toBeTruthy();
  await user.click(button('Score the run with the votes'));
  await screen.findByText(/The run is being scored again/);
  expect(applied).toHaveLength(1);
});

test('a queue without reviews has no agreement yet', async () => {
  server.on(routes.reviews.get, queueOf());
  server.on(routes.reviews.agreement, { ...AGREEMENT, reviews: 0 });
  server.on(routes.runs.get, runOf());
  openApp(`/reviews/${QUEUE}/agreement`);
  expect(await screen.findByText('No reviews yet')).toBeTruthy();
});
