import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { id, packOf, page, WORKSPACE } from '../../testing/fixtures.js';
import { button, field, heading, openApp, server } from '../../testing/open-app.js';

const TEXTS = ['pack:\n  slug: sums\n', 'pack:\n  slug: sums\n  name: Sums\n', 'pack:\n  slug: totals\n'];

beforeEach(() => {
  const pack = packOf(40, 'sums');
  const [first] = pack.versions;
  if (first === undefined) throw new Error('the fixture has a version');
  const versions = TEXTS.map((_text, index) => ({ ...first, id: id(60 + index), version_number: index + 1 }));
  server.on(routes.packs.get, { ...pack, versions });
  server.on(routes.packs.list, page([{ ...pack, versions }]));
  server.on(
    routes.versions.bundle,
    ({ params }) => new Response(TEXTS.find((_text, index) => params.version_id === id(60 + index)) ?? ''),
  );
});

test('the newest version is compared with the one before it, and two others by choice', async () => {
  const user = openApp('/packs/sums/changes');
  await heading('Changes of SUMS');
  await screen.findByText('1 line added, 2 lines removed');
  await user.selectOptions(field('From'), 'v1');
  await user.selectOptions(field('To'), 'v2');
  await screen.findByText('1 line added, 0 lines removed');
  expect(new URLSearchParams(location.search).get('to')).toBe('2');
  await user.selectOptions(field('From'), 'v2');
  await screen.findByText('The texts are equal.');
});

test('a version whose text was not kept shows the error of the server', async () => {
  server.on(routes.versions.bundle, () => Response.json({ code: 'not_found' }, { status: 404 }));
  openApp('/packs/sums/changes');
  await heading('Changes of SUMS');
  expect((await screen.findByRole('alert')).textContent).toContain('Try again');
});

test('the pack links to its changes where it has several versions', async () => {
  server.on(routes.versions.inputSets, { items: [] });
  server.on(routes.runs.trends, page([]));
  openApp('/packs/sums');
  await heading('SUMS');
  const link = await screen.findByRole('link', { name: 'Compare versions' });
  expect(link.getAttribute('href')).toBe('/packs/sums/changes');
});

test('a version is opened in the editor with the number after the newest', async () => {
  const numbered = 'pack:\n  slug: sums\nversion:\n  number: 1 # of three\n';
  const pack = packOf(40, 'sums');
  server.on(routes.versions.get, { ...(pack.versions[0] as (typeof pack.versions)[number]), id: id(60) });
  server.on(routes.versions.manifest, {});
  server.on(routes.versions.inputSets, { items: [] });
  server.on(routes.audits.list, page([]));
  server.on(routes.versions.bundle, () => new Response(numbered));
  const user = openApp(`/versions/${id(60)}`);
  await heading('SUMS v1');
  await user.click(button('Edit as next version'));
  await waitFor(() => expect(location.pathname).toBe('/packs/check'));
  const kept = sessionStorage.getItem(`agentclash.pack.${WORKSPACE.id}`);
  expect(kept).toBe(numbered.replace('number: 1', 'number: 4'));
});
