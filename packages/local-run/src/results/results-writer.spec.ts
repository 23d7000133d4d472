import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { waitFor } from '@agentclash/testkit';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ResultsWriter } from './results-writer.js';

const folder = mkdtempSync(path.join(tmpdir(), 'agentclash-results-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const newFile = () => path.join(folder, `${files++}.clash`);

/** Around the size of a chunk, and of characters of one to four bytes. */
const line = fc
  .tuple(
    fc.constantFrom('a', 'é', '€', '😀'),
    fc.oneof(
      fc.nat(200),
      fc.integer({ min: 60_000, max: 70_000 }),
      fc.integer({ min: 262_000, max: 262_300 }),
    ),
  )
  .map(([character, count]) => character.repeat(count));

describe('A writer of results', () => {
  test('the file has every line, in the order in which they were added', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (lines) => {
        const file = newFile();
        const writer = await ResultsWriter.create(file);
        for (const [index, each] of lines.entries()) {
          writer.addLine(each);
          if (index % 5 === 4) await writer.drained();
        }
        await writer.close();
        expect(readFileSync(file, 'utf8')).toBe(lines.map((each) => `${each}\n`).join(''));
        rmSync(file);
      }),
      { numRuns: 60 },
    );
  });

  test('a file is continued after its last complete line', async () => {
    const file = newFile();
    const writer = await ResultsWriter.create(file);
    writer.addLine('kept');
    writer.addLine('cut off');
    await writer.close();
    const next = await ResultsWriter.continue(file, 5);
    next.addLine('after');
    await next.close();
    expect(readFileSync(file, 'utf8')).toBe('kept\nafter\n');
  });

  test('lines are on the disk soon, without waiting for a full chunk', async () => {
    const file = newFile();
    const writer = await ResultsWriter.create(file);
    writer.addLine('first');
    await writer.drained();
    await waitFor(() => readFileSync(file, 'utf8') === 'first\n');
    expect(readFileSync(file, 'utf8')).toBe('first\n');
    await writer.close();
  });
});
