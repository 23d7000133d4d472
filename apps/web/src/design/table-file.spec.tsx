import { expect, test } from '@jest/globals';
import { render } from '@testing-library/react';
import { Table } from './table.js';
import { tableFile } from './table-file.js';
import { Ago } from './time.js';

interface Row {
  name: string;
  at: string;
}

const ROWS: Row[] = [
  { name: '=1+1, "x"', at: '2026-11-28T12:00:00.000Z' },
  { name: 'b', at: '2026-11-27T12:00:00.000Z' },
];

function shown(): HTMLTableElement {
  const { container } = render(
    <Table<Row>
      label="Links"
      rows={ROWS}
      keyOf={({ name }) => name}
      groupOf={({ name }) => ({ key: name, title: `group ${name}` })}
      columns={[
        { key: 'name', title: 'Name', cell: ({ name }) => <b>{name}</b> },
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
      ]}
    />,
  );
  const table = container.querySelector('table');
  if (table === null) throw new Error('no table');
  return table;
}

test('a table is saved as CSV that no spreadsheet runs, times in full, without headings of groups and buttons', async () => {
  expect(await tableFile(shown(), 'csv').text()).toBe(
    'Name,Created,Tags\r\n' +
      '"\'=1+1, ""x""",2026-11-28T12:00:00.000Z,x; y\r\n' +
      'b,2026-11-27T12:00:00.000Z,x; y\r\n',
  );
});

test('a table is saved as JSON, an object for each row by the titles of its columns', async () => {
  expect(JSON.parse(await tableFile(shown(), 'json').text())).toEqual([
    { Name: '=1+1, "x"', Created: '2026-11-28T12:00:00.000Z', Tags: 'x; y' },
    { Name: 'b', Created: '2026-11-27T12:00:00.000Z', Tags: 'x; y' },
  ]);
});
