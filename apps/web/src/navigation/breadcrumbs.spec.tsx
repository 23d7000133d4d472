import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { SCREENS } from '../screens.js';
import { id, packOf, page, RUN, runOf, versionOf } from '../testing/fixtures.js';
import { openApp, server } from '../testing/open-app.js';
import { TRAILS } from './breadcrumbs.js';

beforeEach(() => {
  server.on(routes.runs.get, runOf({ number: 42 }));
  server.on(routes.runs.failures, page([]));
});

const trail = async () => {
  const nav = await screen.findByRole('navigation', { name: 'Breadcrumbs' });
  return within(nav)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
};

test('every page below a list has the way up to it', () => {
  const below = SCREENS.map(({ path }) => path).filter((path) => path.split('/').length > 2);
  expect(Object.keys(TRAILS).sort()).toEqual([...below].sort());
});

test('the views of a run are below the runs', async () => {
  openApp(`/runs/${RUN}/failures`);
  expect(await trail()).toEqual([['Runs', '/runs']]);
});

test('a version is below its pack', async () => {
  const version = versionOf(40, 'sums');
  server.on(routes.versions.get, version);
  server.on(routes.versions.inputSets, { items: [] });
  server.on(routes.versions.manifest, {});
  server.on(routes.audits.list, page([]));
  server.on(routes.packs.get, packOf(40, 'sums'));
  openApp(`/versions/${id(40)}`);
  await waitFor(async () =>
    expect(await trail()).toEqual([
      ['Packs', '/packs'],
      [version.name, `/packs/${version.slug}`],
    ]),
  );
});

test('a page of the navigation has no way up', async () => {
  server.on(routes.runs.list, page([]));
  openApp('/runs');
  await screen.findByText('No runs yet');
  expect(screen.queryByRole('navigation', { name: 'Breadcrumbs' })).toBeNull();
});
