import { routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { agentOf, id, RUN, runOf } from '../../testing/fixtures.js';
import { button, field, openApp, server } from '../../testing/open-app.js';

const match = (number: number, more = {}) => ({
  ...{ attempt_id: id(1), run_agent_id: id(2), agent_name: 'alpha', case_key: 'malta', repetition: 1 },
  ...{ delivery: 1, sequence_number: number, event_type: 'model.call.completed' },
  ...{ occurred_at: '2026-11-28T12:00:00.000Z' },
  ...{ before: 'I am ', match: 'SORRY', after: ' about it' },
  ...more,
});

beforeEach(() => {
  server.on(routes.runs.agents, { items: [agentOf(2, 'alpha'), agentOf(3, 'beta')] });
});

test('a search is limited to one of the agents of the run', async () => {
  server.on(routes.runs.get, runOf({}));
  const requests = server.on(routes.runs.search, { items: [], next_cursor: null, searched: 3, events: 3 });
  const user = openApp(`/runs/${RUN}/search?q=sorry`);
  await user.selectOptions(await screen.findByLabelText('Agent'), 'beta');
  await waitFor(() => expect(requests.at(-1)?.query).toEqual({ q: 'sorry', run_agent_id: id(3) }));
});

test('a text is searched once the typing pauses, and a match leads to its event', async () => {
  server.on(routes.runs.get, runOf({}));
  const requests = server.on(routes.runs.search, {
    ...{ items: [match(7)], next_cursor: null, searched: 30, events: 30 },
  });
  const user = openApp(`/runs/${RUN}/search`);
  await user.type(await screen.findByLabelText('Text'), 'sorry');
  const link = await screen.findByRole('link', { name: 'malta, alpha' });
  expect(link.getAttribute('href')).toBe(`/attempts/${id(1)}?tab=events&event=7`);
  expect(screen.getByText('SORRY').tagName).toBe('MARK');
  screen.getByText('1 match');
  expect(new Set(requests.map(({ query }) => query.q))).toEqual(new Set(['sorry']));
});

test('the search continues over parts of the history without a match', async () => {
  server.on(routes.runs.get, runOf({}));
  const requests = server.on(routes.runs.search, ({ query }) =>
    query.cursor === 'b'
      ? { items: [match(9)], next_cursor: null, searched: 30, events: 30 }
      : { items: [], next_cursor: query.cursor === 'a' ? 'b' : 'a', searched: 10, events: 30 },
  );
  openApp(`/runs/${RUN}/search?q=sorry&case=malta`);
  await screen.findByRole('link', { name: 'malta, alpha' });
  expect(new Set(requests.map(({ query }) => query.cursor))).toEqual(new Set([undefined, 'a', 'b']));
  expect(requests.every(({ query }) => query.q === 'sorry' && query.case_key === 'malta')).toBe(true);
});

test('after many matches the search continues on demand, and reports how far it is', async () => {
  server.on(routes.runs.get, runOf({}));
  const items = Array.from({ length: 20 }, (_, at) => match(at + 1, { after: ` about ${at}` }));
  server.on(routes.runs.search, ({ query }) =>
    query.cursor === undefined
      ? { items, next_cursor: 'a', searched: 10, events: 30 }
      : { items: [match(21)], next_cursor: null, searched: 30, events: 30 },
  );
  const user = openApp(`/runs/${RUN}/search?q=sorry`);
  await screen.findByText('20 matches so far; 10 of 30 events searched');
  await user.click(button('Search further'));
  expect(await screen.findByText('21 matches')).toBeTruthy();
});

test('a text that several events have is listed once, also where they come in different pages', async () => {
  server.on(routes.runs.get, runOf({}));
  server.on(routes.runs.search, ({ query }) => ({
    items:
      query.cursor === undefined
        ? [match(7), match(8)]
        : [match(9, { event_type: 'system.output.finalized' })],
    ...{ next_cursor: query.cursor === undefined ? 'a' : null, searched: 30, events: 30 },
  }));
  openApp(`/runs/${RUN}/search?q=sorry`);
  await screen.findByText('1 match');
  const links = screen.getAllByRole('link', { name: 'malta, alpha' });
  expect(links.map((link) => link.getAttribute('href'))).toEqual([`/attempts/${id(1)}?tab=events&event=7`]);
});

test('without a match that is what the screen shows, and one letter is not searched', async () => {
  server.on(routes.runs.get, runOf({}));
  const requests = server.on(routes.runs.search, { items: [], next_cursor: null, searched: 3, events: 3 });
  const user = openApp(`/runs/${RUN}/search?q=x`);
  await user.type(await screen.findByLabelText('Text'), 'y');
  await screen.findByText('No event of the attempts has this text');
  expect(new Set(requests.map(({ query }) => query.q))).toEqual(new Set(['xy']));
  await user.click(button('Clear filters'));
  await waitFor(() => expect(field('Text').value).toBe(''));
});
