import { type ReplayStep, routes } from '@agentclash/api';
import { beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { ATTEMPT, replayOf, serveAttempts, step } from '../../testing/attempt-fixtures.js';
import { openApp, server } from '../../testing/open-app.js';

beforeEach(() => void serveAttempts(server));

/** Opens an attempt with these steps, and returns its turns. */
async function opened(steps: ReplayStep[]) {
  server.on(routes.attempts.replay, replayOf(ATTEMPT, steps));
  const user = openApp(`/attempts/${ATTEMPT}`);
  const list = await screen.findByRole('list', { name: 'Transcript' });
  return { user, list, turns: within(list).getAllByRole('article') };
}

const call = (text: string, result: object = {}) =>
  step(1, 'model.call', { input: { sent: { messages: [{ role: 'user', text }] } }, result: { ...result } });

test('JSON in a message keeps its indentation, and a table is a table', async () => {
  const json = JSON.stringify({ rows: [{ n: 1 }] }, null, 2);
  const table = '| city | people |\n| --- | ---: |\n| Lima | **10** M |';
  const { turns } = await opened([call(`Add the rows.\n\n${json}`, { text: table, tool_calls: [] })]);
  const [prompt, reply] = turns;
  expect(prompt?.querySelector('pre')?.textContent).toBe(json);
  const cells = within(reply as HTMLElement).getAllByRole('columnheader');
  expect(cells.map(({ textContent }) => textContent)).toEqual(['city', 'people']);
  expect(within(reply as HTMLElement).getByRole('cell', { name: '10 M' }).innerHTML).toContain('<strong>10');
});

test('a text of several lines within a result is shown in its lines, and as JSON on request', async () => {
  const result = { exit_code: 0, stdout: 'one\n  two "2"\n', argv: ['a\nb', 'c'], note: 'x\\ny' };
  const { user, list } = await opened([
    step(1, 'tool.call', { input: { tool_name: 'exec' }, result: { result } }),
  ]);
  const name = 'result of exec in turn 1';
  const shown = () => within(list).getByRole('figure', { name }).querySelector('pre')?.textContent;
  expect(shown()?.split('\n')).toEqual([
    ...['{', '  "exit_code": 0,', '  "stdout": """', '    one', '      two "2"', '  """,'],
    ...['  "argv": [', '    """', '      a', '      b', '    """,', '    "c"', '  ],'],
    ...['  "note": "x\\\\ny"', '}'],
  ]);
  await user.click(screen.getByLabelText('As plain text'));
  expect(shown()).toBe(JSON.stringify(result, null, 2));
});

test('the words that are looked for are marked wherever they are, as they are written there', async () => {
  const long = `${'x '.repeat(2_000)}the end (a+b)`;
  const { user, list } = await opened([
    call('Compute **(A+B)** now', {
      text: long,
      tool_calls: [{ id: 't', name: 'sum', arguments: { f: '(a+b)' } }],
    }),
  ]);
  const marks = () => [...list.querySelectorAll('mark')].map(({ textContent }) => textContent);
  expect(marks()).toEqual([]);
  await user.type(screen.getByLabelText('Find in transcript'), '(a+b)');
  await waitFor(() => expect(marks()).toEqual(['(A+B)', '(a+b)', '(a+b)']));
  await user.clear(screen.getByLabelText('Find in transcript'));
  await waitFor(() => expect(marks()).toEqual([]));
});
