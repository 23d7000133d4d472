import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { filesWith, formsOf } from './planted.js';
import { Product, repository } from './product.js';

jest.setTimeout(180_000);

const example = (name: string) => path.join(repository, 'examples', name);

describe('the inventory race, whose tool carries a secret', () => {
  const secret = `warehouse-${randomBytes(15).toString('hex')}`;
  const printed: string[] = [];
  let product: Product;
  let warehouse: Server;
  const served: string[] = [];
  let port: number;

  beforeAll(async () => {
    warehouse = createServer((request, response) => {
      const isAllowed = request.headers.authorization === `Bearer ${secret}`;
      if (isAllowed) served.push(request.url ?? '');
      // It repeats what it was sent, as careless servers do.
      response.writeHead(isAllowed ? 200 : 401).end(JSON.stringify({ sent: request.headers, secret }));
    }).listen(0, '127.0.0.1');
    await once(warehouse, 'listening');
    port = (warehouse.address() as AddressInfo).port;
    product = await Product.start();
    const pack = path.join(product.folder.path, 'inventory.yaml');
    const text = readFileSync(example('challenge-packs/inventory.yaml'), 'utf8');
    writeFileSync(pack, text.replaceAll(':8377', `:${port}`));
    await product.read('challenge-pack', 'publish', pack);
    await product.read('deployment', 'create', '-f', example('deployments/inventory.yaml'));
  }, 180_000);
  afterAll(async () => {
    warehouse?.close();
    warehouse?.closeAllConnections();
    await product?.stop();
    product?.folder.remove();
  }, 120_000);

  const start = [
    'eval',
    'start',
    '--pack',
    'inventory',
    '--deployment',
    'stock-clerk',
    'guesser',
    '--follow',
  ];

  test('a run does not start without its secret, and the error names it', async () => {
    const { code, stderr } = await product.run(start);
    expect({ code, stderr }).toMatchObject({ code: 64, stderr: expect.stringContaining('INVENTORY_TOKEN') });
  });

  test('the agent that uses the tool wins the race', async () => {
    const binding = ['--host', `http://127.0.0.1:${port}`];
    const set = await product.run(['secret', 'set', 'INVENTORY_TOKEN', ...binding], { stdin: secret });
    expect(set.code).toBe(0);
    const race = await product.run([...start], { timeoutMs: 180_000 });
    expect(race).toMatchObject({ code: 0, stdout: expect.stringMatching(/1\s+stock-clerk\s+passed/) });
    expect(served).toHaveLength(3);
  }, 200_000);

  test('the ranking is the same after a restart, which keeps secrets and races', async () => {
    const before = await product.read<{ items: unknown[] }>('run', 'ranking', 'last');
    expect((await product.stop()).code).toBe(0);
    product = await Product.start(product.folder);
    expect(await product.read('run', 'ranking', 'last')).toEqual(before);
    const race = await product.run([...start], { timeoutMs: 180_000 });
    expect(race).toMatchObject({ code: 0, stdout: expect.stringMatching(/1\s+stock-clerk\s+passed/) });
  }, 300_000);

  test('the value of a secret is in no output, database, stream, blob or log', async () => {
    const { items } = await product.read<{ items: { id: string }[] }>('run', 'attempts', 'last');
    const commands = [
      ['secret', 'list', '--json'],
      ['run', 'export', 'last'],
      ['eval', 'scorecard', 'last', '--all'],
      ...items.map(({ id }) => ['replay', id, '--full', '--json']),
    ];
    for (const words of commands) {
      const { code, stdout, stderr } = await product.run(words);
      expect({ words, code, stderr }).toMatchObject({ code: 0 });
      printed.push(stdout, stderr);
    }
    expect(printed.join('')).toContain('check_stock');
    // Stopped, so that everything the servers hold in memory lies in the files.
    await product.stop();
    const forms = formsOf(secret);
    expect(filesWith(['stock-clerk'], product.folder.path)).not.toEqual([]);
    expect(filesWith(forms, product.folder.path)).toEqual([]);
    expect(forms.filter((form) => printed.join('').includes(form))).toEqual([]);
  }, 200_000);
});
