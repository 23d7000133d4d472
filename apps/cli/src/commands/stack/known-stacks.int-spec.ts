import { mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { environment } from '../../config.js';
import { KNOWN_STACKS_FILE, knownStacks, rememberStack } from './known-stacks.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-known-stacks-'));
const [first, second] = [path.join(folder, 'first'), path.join(folder, 'second')];
const before = environment.configFolder;
beforeAll(() => {
  environment.configFolder = path.join(folder, 'config');
});
afterAll(() => {
  environment.configFolder = before;
  rmSync(folder, { recursive: true });
});

test('each data folder is remembered once, until it is gone, in a file of its user alone', async () => {
  expect(await knownStacks()).toEqual([]);
  for (const each of [first, second]) mkdirSync(each);
  for (const each of [first, second, first]) await rememberStack(each);
  expect(await knownStacks()).toEqual([first, second]);
  const file = path.join(folder, 'config', KNOWN_STACKS_FILE);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  rmdirSync(first);
  expect(await knownStacks()).toEqual([second]);
  writeFileSync(file, '{');
  expect(await knownStacks()).toEqual([]);
  await rememberStack(second);
  expect(await knownStacks()).toEqual([second]);
});
