import { expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { savedBy } from '../testing/saved-files.js';
import { type AllRows, type Column, Table } from './table.js';
import { Ago } from './time.js';
import { clearToasts, useToasts } from './toasts.js';

interface Row {
  name: string;
  at: string;
  ms?: number | null;
}

const ROWS: Row[] = [
  { name: '=1+1, "x"', at: '2026-11-28T12:00:00.000Z' },
  { name: 'b', at: '2026-11-27T12:00:00.000Z' },
];

const NAME: Column<Row> = { key: 'name', title: 'Name', cell: ({ name }) => <b>{name}</b> };

const COLUMNS: readonly Column<Row>[] = [
  NAME,
  { key: 'at', title: 'Created', isMinor: true, cell: ({ at }) => <Ago at={at} /> },
  {
    key: 'tags',
    title: 'Tags',
    cell: () => (
      <ul>
        <li>x</li>
        <li>y</li>
      </ul>
    ),
  },
  {
    key: 'act',
    title: <span className="visually-hidden">Actions</span>,
    isAction: true,
    cell: () => <button type="button">Revoke</button>,
  },
];

function show(columns: readonly Column<Row>[], all?: () => AllRows<Row> | Promise<AllRows<Row>>) {
  render(
    <Table<Row>
      label="Links"
      rows={ROWS}
      keyOf={({ name }) => name}
      groupOf={({ name }) => ({ key: name, title: `group ${name}` })}
      columns={columns}
      all={all}
    />,
  );
  return userEvent.setup({ delay: null });
}

test('a table is saved as CSV that no spreadsheet runs, times in full, without headings of groups and buttons', async () => {
  expect(await savedBy(show(COLUMNS), 'Download Links as CSV')).toEqual({
    name: 'links.csv',
    text:
      'Name,Created,Tags\r\n' +
      '"\'=1+1, ""x""",2026-11-28T12:00:00.000Z,x; y\r\n' +
      'b,2026-11-27T12:00:00.000Z,x; y\r\n',
  });
});

test('a table is saved as JSON, an object for each row by the titles of its columns', async () => {
  const { name, text } = await savedBy(show(COLUMNS), 'Download Links as JSON');
  expect(name).toBe('links.json');
  expect(JSON.parse(text)).toEqual([
    { Name: '=1+1, "x"', Created: '2026-11-28T12:00:00.000Z', Tags: 'x; y' },
    { Name: 'b', Created: '2026-11-27T12:00:00.000Z', Tags: 'x; y' },
  ]);
});

test('the values of a column replace the text of its cells, and stay numbers', async () => {
  const took: Column<Row> = {
    ...{ key: 'took', title: 'Took', cell: ({ ms }) => `${ms} ms` },
    file: ({ name, ms = null }) => ({ id: name.length, took_ms: ms }),
  };
  const user = show([NAME, took]);
  expect(JSON.parse((await savedBy(user, 'Download Links as JSON')).text)).toEqual([
    { Name: '=1+1, "x"', id: 9, took_ms: null },
    { Name: 'b', id: 1, took_ms: null },
  ]);
  expect((await savedBy(user, 'Download Links as CSV')).text).toContain('\r\nb,1,\r\n');
});

test('a part of a list is saved with all rows of the list, also the texts of those that are not shown', async () => {
  const third = { name: 'c', at: '2026-11-26T12:00:00.000Z' };
  const user = show(COLUMNS, async () => ({ items: [...ROWS, third], isCut: false }));
  const { text } = await savedBy(user, 'Download Links as CSV');
  expect(text.split('\r\n').slice(2)).toEqual([
    'b,2026-11-27T12:00:00.000Z,x; y',
    'c,2026-11-26T12:00:00.000Z,x; y',
    '',
  ]);
  expect(document.querySelectorAll('table')).toHaveLength(1);
});

test('a list that cannot be loaded for a file is an error beside the table, and no file', async () => {
  const user = show(COLUMNS, () => Promise.reject(new Error('no network')));
  await user.click(screen.getByRole('button', { name: 'Download Links as CSV' }));
  expect((await screen.findByRole('alert')).textContent).toContain('no network');
});

function Toasts() {
  return useToasts().map(({ id, text }) => <p key={id}>{text}</p>);
}

test('a file that has not all rows comes with a notice, and a whole one without', async () => {
  clearToasts();
  let isCut = false;
  const user = show(COLUMNS, () => ({ items: ROWS, isCut }));
  render(<Toasts />);
  await savedBy(user, 'Download Links as CSV');
  expect(screen.queryByText(/only the first/)).toBeNull();
  isCut = true;
  await savedBy(user, 'Download Links as CSV');
  await screen.findByText('The file has only the first 2 rows: the list has more');
  act(clearToasts);
});
