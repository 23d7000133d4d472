import { readFileSync } from 'node:fs';
import { EXIT_CODES } from '@agentclash/domain';
import { expect, test } from '@jest/globals';
import { CLI_REFERENCE, cliReference } from './commands-markdown.js';

const text = readFileSync(CLI_REFERENCE, 'utf8');

test('docs/reference/cli.md matches the commands; `pnpm reference` writes it', () => {
  expect(text).toBe(cliReference());
});

test('docs/reference/cli.md explains every exit code', () => {
  const explained = [...text.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(explained).toEqual(Object.values(EXIT_CODES));
});
