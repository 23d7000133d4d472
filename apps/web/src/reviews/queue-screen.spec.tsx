import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { problem, type SentRequest } from '../testing/fake-server.js';
import { button, enabledButton, openApp, server } from '../testing/open-app.js';
import { QUEUE, queueOf, reviewItemOf, SINGLE } from '../testing/review-fixtures.js';

const ITEMS = [1, 2, 3].map((number) => reviewItemOf(number));
/** The ids of the reviewed items. */
let done: Set<string>;
let submitted: readonly SentRequest[];

beforeEach(() => {
  done = new Set();
  server.on(routes.reviews.get, queueOf());
  server.on(routes.reviews.next, ({ query }) => {
    const start = ITEMS.findIndex(({ id }) => id === query.after) + 1;
    const item = ITEMS.slice(start).find(({ id }) => !done.has(id)) ?? null;
    return { item, reviewed: done.size, items: ITEMS.length };
  });
  server.on(
    routes.reviews.item,
    ({ params }) => ITEMS.find(({ id }) => id === params.item_id) ?? reviewItemOf(9),
  );
  submitted = server.on(routes.reviews.submit, ({ params, body }) => {
    done.add(params.item_id ?? '');
    const { vote = null, label = null, scores = {}, note = null } = body as Record<string, never>;
    return {
      ...{ reviewed: done.size, items: ITEMS.length },
      review: { vote, label, scores, note, reviewed_at: '2026-01-02T03:04:05.000Z' },
    };
  });
  server.on(routes.reviews.withdraw, ({ params }) => {
    done.delete(params.item_id ?? '');
    return undefined;
  });
});

const open = (role: 'viewer' | 'member' = 'member') => openApp(`/reviews/${QUEUE}`, { role });
const task = (number: number) => screen.findByRole('heading', { level: 2, name: `Task: Task ${number}` });

test('the verdicts follow the outputs that they are about', async () => {
  open();
  await task(1);
  const verdict = await enabledButton(/^Left is better/);
  const [left, right] = ['Left', 'Right'].map((title) =>
    screen.getByRole('region', { name: `${title}, text` }),
  );
  for (const output of [left, right])
    expect(output && verdict.compareDocumentPosition(output)).toBe(Node.DOCUMENT_POSITION_PRECEDING);
});

test('keys review item after item until nothing is left, with the version that was shown', async () => {
  const user = open();
  await task(1);
  await enabledButton(/^Left is better/);
  await user.keyboard('1');
  await task(2);
  await enabledButton(/^Left is better/);
  await user.keyboard('0');
  await task(3);
  await enabledButton(/^Left is better/);
  await user.keyboard('2');
  await screen.findByText('Nothing is left to review');
  expect(submitted.map(({ body }) => body)).toEqual([
    { version: 'version 1', vote: 'left' },
    { version: 'version 2', vote: 'tie' },
    { version: 'version 3', vote: 'right' },
  ]);
  expect(screen.getByRole('link', { name: 'See the agreement' }).getAttribute('href')).toBe(
    `/reviews/${QUEUE}/agreement`,
  );
});

test('the task, what is expected and both outputs are shown as Markdown, and no agent', async () => {
  open();
  await task(1);
  expect(screen.getByText('capital', { selector: 'strong' })).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Left, text' }).textContent).toContain('It is Lima.');
  expect(screen.getByRole('region', { name: 'Right, text' }).textContent).toContain('Quito');
  expect(screen.getByRole('region', { name: 'Expected capital' }).textContent).toContain('Lima');
  expect(screen.getAllByRole('status').map(({ textContent }) => textContent)).toContain(
    ' 0 of 3 reviewed by you',
  );
});

test('undo withdraws the last review and shows its item again', async () => {
  const user = open();
  await task(1);
  await user.click(await enabledButton(/^Right is better/));
  await task(2);
  await enabledButton(/^Undo the last/);
  await user.keyboard('u');
  await task(1);
  expect(done.size).toBe(0);
  await user.click(await enabledButton(/^Left is better/));
  await task(2);
  expect(submitted.at(-1)?.body).toEqual({ version: 'version 1', vote: 'left' });
});

test('a passed over item comes again when the others are done', async () => {
  const user = open();
  await task(1);
  await enabledButton(/^Skip/);
  await user.keyboard('j');
  for (const number of [2, 3]) {
    await task(number);
    await user.click(await enabledButton(/^Tie/));
  }
  await screen.findByText('No item follows');
  await user.click(button('Review them'));
  expect(await task(1)).toBeTruthy();
});

test('keys of a note are text, and the note is sent', async () => {
  const user = open();
  await task(1);
  await user.type(screen.getByLabelText('Note'), '1 is up to date');
  expect(submitted).toHaveLength(0);
  await user.click(await enabledButton(/^Left is better/));
  await waitFor(() => expect(submitted).toHaveLength(1));
  expect(submitted[0]?.body).toMatchObject({ vote: 'left', note: '1 is up to date' });
});

test('a single output gets a label and scores within their scales, and the rest of it is loaded', async () => {
  server.on(routes.reviews.get, queueOf({ kind: 'single' }));
  server.on(routes.reviews.next, () => ({
    ...{ item: done.size > 0 ? null : reviewItemOf(1, SINGLE), reviewed: done.size, items: 1 },
  }));
  const rest = server.on(routes.reviews.output, {
    ...{ text: 'ma.', length: 11, next_offset: null, outcome: 'limit_reached' },
  });
  const user = open();
  await task(1);
  await user.click(button(/^Load more of 11 characters/));
  await screen.findByText('It is Lima.');
  expect(rest[0]?.query).toEqual({ offset: '8' });
  await user.type(screen.getByLabelText('clear'), '9');
  expect(screen.getByText('It must be 1 to 5.')).toBeTruthy();
  expect(button(/^Fail/).disabled).toBe(true);
  await user.clear(screen.getByLabelText('clear'));
  await user.type(screen.getByLabelText('clear'), '2');
  await user.click(await enabledButton(/^Fail/));
  await screen.findByText('Nothing is left to review');
  expect(submitted[0]?.body).toEqual({ version: 'version 1', label: 'fail', scores: { clear: 2 } });
});

test('an output that was run again shows why the review was refused', async () => {
  server.on(routes.reviews.submit, () => problem('conflict', 'Load the item again.'));
  const user = open();
  await task(1);
  await user.click(await enabledButton(/^Tie/));
  expect((await screen.findByRole('alert')).textContent).toContain('Load the item again.');
});

test('a viewer sees which role may review', async () => {
  open('viewer');
  expect(await screen.findByText('Only a member may review.')).toBeTruthy();
});
