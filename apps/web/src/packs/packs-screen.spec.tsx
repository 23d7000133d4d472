import { routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { id, packOf, page, versionOf } from '../testing/fixtures.js';
import { button, field, heading, openApp, server } from '../testing/open-app.js';

test('packs are filtered by the server, and a filter without a match can be cleared', async () => {
  const requests = server.on(routes.packs.list, ({ query }) =>
    page(query.lifecycle_status === 'archived' ? [] : [packOf(40, 'sums')]),
  );
  const user = openApp('/packs');
  await screen.findByRole('link', { name: 'SUMS' });
  await user.selectOptions(field('Status'), 'archived');
  await screen.findByText('No packs match');
  expect(requests.at(-1)?.query).toEqual({ lifecycle_status: 'archived' });
  await user.click(button('Clear filters'));
  await screen.findByRole('link', { name: 'SUMS' });
});

test('the newest version of a pack is the one with the highest number', async () => {
  const pack = packOf(40, 'sums');
  const [first] = pack.versions;
  if (first === undefined) throw new Error('the fixture has a version');
  const versions = [
    { ...first, version_number: 2, id: id(42) },
    { ...first, version_number: 10, id: id(50) },
  ];
  server.on(routes.packs.list, page([{ ...pack, versions }]));
  openApp('/packs');
  const link = await screen.findByRole('link', { name: 'v10' });
  expect(link.getAttribute('href')).toBe(`/versions/${id(50)}`);
});

test('a viewer may check a pack, a member publish it too', async () => {
  server.on(routes.packs.list, page([]));
  openApp('/packs', { role: 'viewer' });
  await screen.findByText('No packs yet');
  expect(screen.getByRole('link', { name: 'Check a pack' })).toBeTruthy();
});

/** Challenges of the input set. */
const KEYS = ['add', 'subtract', 'divide', 'multiply', 'round'];

function serveVersion(lifecycle_status: 'runnable' | 'archived') {
  const version = versionOf(40, 'sums', { lifecycle_status });
  server.on(routes.versions.get, version);
  server.on(routes.audits.list, { items: [], next_cursor: null });
  const set = { description: null, challenge_key: 'add', challenge_keys: KEYS, case_count: 1 };
  server.on(routes.versions.inputSets, { items: [{ id: id(60), key: 'main', name: 'Main', ...set }] });
  server.on(routes.versions.manifest, {
    challenges: [
      { key: 'add', title: 'Add', category: 'math', difficulty: 'easy', instructions: 'Add them.' },
    ],
    evaluation_spec: {
      validators: [{ key: 'sum', type: 'exact_match', target: 'final_output' }],
      scorecard: {
        strategy: 'weighted',
        pass_threshold: 0.7,
        dimensions: [{ key: 'correctness', gate: true }],
      },
    },
  });
  return version;
}

test('a version shows its scoring, the challenges of its input sets, and its cases when they are opened', async () => {
  serveVersion('runnable');
  const stored = { position: 0, challenge_key: 'add', case_key: 'one', item_key: 'one' };
  server.on(routes.versions.cases, page([{ ...stored, kind: 'payload' as const, document: { a: 1 } }]));
  const user = openApp(`/versions/${id(41)}`);
  await screen.findByText('weighted Pass threshold 0.7');
  expect(screen.getByRole('row', { name: /exact_match/ }).textContent).toBe('sumexact_matchfinal_output');
  expect(screen.getByRole('rowheader', { name: /correctness/ }).textContent).toContain('gate');
  expect(screen.getByText('add, subtract, divide and 2 more')).toBeTruthy();
  await user.click(button('Show cases'));
  await user.click(await screen.findByRole('button', { name: 'Show' }));
  expect(within(screen.getByRole('dialog', { name: 'one' })).getByText('Case as JSON')).toBeTruthy();
});

test('a version is archived after a confirmation, and deprecated at once', async () => {
  const version = serveVersion('runnable');
  const moved = server.on(routes.versions.setLifecycle, { ...version, lifecycle_status: 'archived' });
  const user = openApp(`/versions/${id(41)}`);
  await user.click(await screen.findByRole('button', { name: 'Deprecate' }));
  await waitFor(() => expect(moved.map(({ body }) => body)).toEqual([{ lifecycle_status: 'deprecated' }]));
  await user.click(button('Archive'));
  expect(moved).toHaveLength(1);
  serveVersion('archived');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Archive' }));
  await screen.findByText('archived');
  expect(moved.at(-1)?.body).toEqual({ lifecycle_status: 'archived' });
  await waitFor(() => expect(screen.queryByRole('button', { name: /Archive|Deprecate|Restore/ })).toBeNull());
  expect(screen.queryByRole('link', { name: 'Start a run' })).toBeNull();
  await heading('SUMS v1');
});
