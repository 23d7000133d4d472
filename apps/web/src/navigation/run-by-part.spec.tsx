import { routes } from '@agentclash/api';
import { expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { id, page, RUN, runOf } from '../testing/fixtures.js';
import { heading, openApp, server } from '../testing/open-app.js';

test('the number of a run leads to the same view of the run', async () => {
  const requests = server.on(routes.runs.findIds, { runs: [RUN], attempts: [] });
  server.on(routes.runs.get, runOf({ number: 42 }));
  server.on(routes.runs.failures, page([]));
  openApp('/runs/42/failures?agent=alpha');
  await heading('#42 nightly');
  expect(new Set(requests.map(({ query }) => query.part))).toEqual(new Set(['#42']));
  expect(location.pathname).toBe(`/runs/${RUN}/failures`);
  expect(location.search).toBe('?agent=alpha');
});

test.each([
  [[], 'There is no run 43.'],
  [[RUN, id(101)], 'Several runs have 0189 in their id.'],
])('a part of an id that is not of one run leads nowhere', async (runs, text) => {
  server.on(routes.runs.findIds, { runs, attempts: [] });
  const address = runs.length === 0 ? '/runs/43' : '/runs/0189';
  openApp(address);
  await screen.findByText(text);
  await waitFor(() => expect(location.pathname).toBe(address));
});
