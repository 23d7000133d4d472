import { expect, test } from '@jest/globals';
import { type DatabaseTemplate, freshDatabase } from './fresh-database.js';

let preparations = 0;
const template: DatabaseTemplate = {
  name: 'testkit',
  async prepare(url) {
    preparations += 1;
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('CREATE TABLE seeds AS SELECT 7 AS value');
    await client.end();
  },
};

const plain = await freshDatabase();
const copies = await Promise.all([1, 2, 3].map(() => freshDatabase({ template })));

test('databases of one server share nothing', async () => {
  await plain.query('CREATE TABLE mine AS SELECT 1 AS value');
  for (const copy of copies) {
    expect(await copy.query(`SELECT to_regclass('mine') AS found`)).toEqual([{ found: null }]);
  }
});

test('a template is prepared once for concurrent requests', async () => {
  expect(preparations).toBe(1);
  for (const copy of copies) expect(await copy.query('SELECT value FROM seeds')).toEqual([{ value: 7 }]);
});
