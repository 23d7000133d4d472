import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { useFakeApi } from './testing/fake-api.js';
import { offerEverything } from './testing/fixtures/everything.js';
import { Terminal } from './testing/terminal.js';

const { api, env } = useFakeApi();
let terminal: Terminal;

beforeEach(() => {
  api.reset();
  offerEverything(api);
});
afterEach(() => terminal.close());

const sent = (method: string) =>
  api.seen.filter((request) => request.method === method).map(({ body }) => JSON.parse(body || 'null'));

test('a person votes, undoes the vote and stops by one key each', async () => {
  terminal = Terminal.start(['review', 'next', '91'], { env, rows: 60 });
  await terminal.shows('a tie');
  expect(terminal.everything()).not.toMatch(/solver|hasty/);
  terminal.type('1');
  await terminal.shows('undo the last review');
  expect(sent('PUT')).toEqual([{ version: '0123456789abcdef', vote: 'left' }]);
  terminal.type('u');
  await terminal.shows(/undo the last review\s+Task:/);
  expect(sent('DELETE')).toHaveLength(1);
  terminal.type('q');
  expect(await terminal.ended).toBe(0);
});

test('a skipped item is passed over, and the end names what is left', async () => {
  terminal = Terminal.start(['review', 'next', '91'], { env, rows: 60 });
  await terminal.shows('a tie');
  terminal.type('s');
  expect(await terminal.ended).toBe(0);
  expect(terminal.everything()).toContain('Nothing is left after the passed over items');
  expect(sent('PUT')).toEqual([]);
});

test('a single output gets a label and the scores of its criteria, and a score beyond the scale is requested again', async () => {
  terminal = Terminal.start(['review', 'next', '92'], { env, rows: 60 });
  await terminal.shows(/f +fail/);
  terminal.type('f');
  await terminal.shows('tone: 1 to 5');
  terminal.type('9\r');
  await terminal.shows(/It must be 1 to 5\.[\s\S]*tone: 1 to 5/);
  terminal.type('2\r');
  await terminal.shows('refunds: 1 or 0');
  terminal.type('\r');
  await terminal.shows('undo the last review');
  expect(sent('PUT')).toEqual([{ version: '0123456789abcdef', label: 'fail', scores: { tone: 2 } }]);
});
