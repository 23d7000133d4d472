import { expect, test } from '@jest/globals';
import { outputLines } from './output-lines.js';

async function linesOf(chunks: readonly string[], size = 1_000): Promise<string[]> {
  const bytes = Buffer.from(chunks.join(''));
  const parts = async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const lines: string[] = [];
  for await (const line of outputLines(parts())) lines.push(line);
  return lines;
}

test('lines are whole however the output is cut, and the last one needs no end', async () => {
  for (const size of [1, 2, 3, 100]) expect(await linesOf(['aé\n\n', 'b'], size)).toEqual(['aé', '', 'b']);
});

test('a long line is cut off after its beginning', async () => {
  const lines = await linesOf(['x'.repeat(10_000), '\nafter\n']);
  expect(lines.map(({ length }) => length)).toEqual([2_000, 5]);
});
