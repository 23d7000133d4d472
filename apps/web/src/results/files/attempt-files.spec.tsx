import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { ATTEMPT, capturesOf, serveAttempts } from '../../testing/attempt-fixtures.js';
import { openApp, server } from '../../testing/open-app.js';
import { savedBy } from '../../testing/saved-files.js';

beforeEach(() => void serveAttempts(server));

test('the output of an attempt has the files that were captured from its workspace', async () => {
  const code = 'def add(a, b):\n    return a + b\n';
  const log = 'line\n'.repeat(20_000);
  const requests = server.on(
    routes.attempts.events,
    capturesOf({ 'solution.py': code, 'out/run.log': log, 'logo.png': 'PNG\0' }, 'next'),
  );
  const user = openApp(`/attempts/${ATTEMPT}`);
  const output = await screen.findByRole('region', { name: 'Output' });
  const solution = await within(output).findByRole('figure', { name: 'solution.py of alpha' });
  expect(solution.querySelector('pre')?.textContent).toBe(code);
  expect(within(output).getByText('solution.py').closest('details')?.open).toBe(true);
  expect(within(output).getByText('out/run.log').closest('details')?.open).toBe(false);
  const shown = within(output).getByRole('figure', { name: 'out/run.log of alpha' });
  expect(shown.querySelector('pre')?.textContent).toHaveLength(65_536);
  expect(output.textContent).toContain('The first 65,536 of 100,000 characters are shown.');
  expect(output.textContent).toContain('Not a text: its content is not stored');
  expect(within(output).getByRole('link', { name: 'the events have the others' }).getAttribute('href')).toBe(
    `/attempts/${ATTEMPT}?tab=events`,
  );
  expect(requests[0]?.query).toEqual({ event_type: 'grader.verification.file_captured', limit: '5' });
  expect(await savedBy(user, 'Download out/run.log')).toEqual({ name: 'run.log', text: log });
});

test('a captured file that no list of events carries is read from its event', async () => {
  const { items, ...rest } = capturesOf({ 'big.csv': 'a,b' });
  const payload = { $ref: `sha256:${'0'.repeat(64)}`, bytes: 5_000_000 };
  server.on(routes.attempts.events, { ...rest, items: items.map((event) => ({ ...event, payload })) });
  const loads = server.on(routes.attempts.payload, () => Response.json(items[0]?.payload));
  const user = openApp(`/attempts/${ATTEMPT}`);
  await user.click(await screen.findByRole('button', { name: 'Show File of event 20' }));
  const shown = await screen.findByRole('figure', { name: 'big.csv of alpha' });
  expect(shown.querySelector('pre')?.textContent).toBe('a,b');
  expect(loads.map(({ params }) => params.sequence_number)).toEqual(['20']);
});
