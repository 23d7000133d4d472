import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { findState, writeState } from './state.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-state-'));
const file = path.join(folder, 'stack.json');
afterAll(() => rmSync(folder, { recursive: true }));

const about = {
  url: 'http://127.0.0.1:1',
  postgresPort: 2,
  natsPort: 3,
  startedAt: '2026-01-01',
  health: {},
};

test('the state of a living stack is found', async () => {
  await writeState(file, about);
  expect(await findState(file)).toMatchObject({ ...about, pid: process.pid });
});

test('a later process with the same pid is not the stack', async () => {
  await writeState(file, about);
  const written = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...written, processStart: 'earlier' }));
  expect(await findState(file)).toBeUndefined();
});

test('a state file that was cut short is ignored', async () => {
  writeFileSync(file, '{"pid": 1');
  expect(await findState(file)).toBeUndefined();
  expect(await findState(path.join(folder, 'none.json'))).toBeUndefined();
});
