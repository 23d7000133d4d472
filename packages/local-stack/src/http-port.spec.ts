import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { choosePort, FIRST_PORT, readPort, rememberPort } from './http-port.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-port-'));
const file = path.join(folder, 'ports.json');
afterAll(() => rmSync(folder, { recursive: true }));

const portsWithout = (...taken: number[]) => ({
  isFree: async (port: number) => !taken.includes(port),
  next: async () => 20_000,
});

describe('the port of the HTTP API', () => {
  test.each([
    ['the first choice at the first start', undefined, [], { port: FIRST_PORT }],
    ['that of the start before', 9_000, [], { port: 9_000 }],
    ['a free one where another program has it', undefined, [FIRST_PORT], { port: 20_000, taken: FIRST_PORT }],
    ['a free one where another program has that of before', 9_000, [9_000], { port: 20_000, taken: 9_000 }],
  ])('the port of the HTTP API is %s', async (_what, remembered, taken, choice) => {
    expect(await choosePort(remembered, portsWithout(...taken))).toEqual(choice);
  });

  test('the port of the HTTP API is remembered in the data folder', async () => {
    expect(await readPort(file)).toBeUndefined();
    await rememberPort(file, 9_000);
    expect(await readPort(file)).toBe(9_000);
  });

  test.each(['{"http":', '{"http": "9000"}', '{"http": 99999}', '[]', 'null'])(
    'the port of the HTTP API is not read from a broken file: %s',
    async (text) => {
      writeFileSync(file, text);
      expect(await readPort(file)).toBeUndefined();
    },
  );
});
