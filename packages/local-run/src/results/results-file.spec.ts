import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { RESULTS_FORMAT } from './records.js';
import { ResultsFile } from './results-file.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-results-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const START = JSON.stringify({ record: 'run', format: RESULTS_FORMAT });

function fileOf(name: string, ...lines: string[]): string {
  const file = path.join(folder, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

describe('A file of results', () => {
  test('a damaged line is named with its file and number', async () => {
    const file = fileOf('damaged.clash', START, '{"record":"case","case":{"case_key":"a"}}', '{"rec');
    await expect(ResultsFile.open(file)).rejects.toThrow(`${file}, line 3: no record of results`);
  });

  test.each([
    ['{"record":"run","format":"agentclash.results/2"}', 'it is of the format agentclash.results/2'],
    ['{"a":1}', 'its first line names no format'],
  ])('the first line %s is of no file that can be read, which is named', async (line, found) => {
    const file = fileOf('other.clash', line);
    await expect(ResultsFile.open(file)).rejects.toThrow(
      `${file} is no file of results that this release reads: ${found}`,
    );
  });
});
