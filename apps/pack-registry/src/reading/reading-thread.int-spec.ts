import { afterEach, describe, expect, test } from '@jest/globals';
import { EXPENSIVE, packText } from '../testing/pack-text.js';
import { type ReadingLimits, ReadingThread } from './pack-reader.js';

const taskOf = (text: string) => ({ document: Buffer.from(text), strict: false, artifacts: [], files: [] });

describe('a reading thread', () => {
  const threads: ReadingThread[] = [];
  afterEach(async () => {
    await Promise.all(threads.splice(0).map((thread) => thread.stop()));
  });
  const threadWith = (limits: ReadingLimits) => {
    const thread = new ReadingThread(limits);
    threads.push(thread);
    return thread;
  };

  test('a reading thread reads one document after the other as the library does', async () => {
    const thread = threadWith({ timeoutMs: 30_000, memoryMib: 256 });
    const { manifest, problems, summary } = await thread.read(taskOf(packText()));
    expect(JSON.parse(manifest ?? '')).toMatchObject({ pack: { slug: 'capitals' } });
    expect(problems).toEqual([]);
    expect(summary).toMatchObject({ slug: 'capitals', cases: 3 });
    const refused = await thread.read(taskOf('pack: 1'));
    expect(refused.manifest).toBeUndefined();
    expect(refused.problems[0]).toMatchObject({ field: 'challenges', code: 'required', line: 1 });
  });

  test.each([
    ['time', { timeoutMs: 200, memoryMib: 256 }, '0.2 seconds'],
    ['memory', { timeoutMs: 60_000, memoryMib: 24 }, '24 MiB of memory'],
  ])(
    'a reading thread rejects a document that exceeds its limit of %s, and names the limit',
    async (_what, limits, limit) => {
      await expect(threadWith(limits).read(taskOf(EXPENSIVE))).rejects.toMatchObject({
        code: 'too_large',
        message: `Reading the challenge pack takes more than ${limit}.`,
        details: { errors: [{ code: 'document_too_large', severity: 'error', line: 1, column: 1 }] },
      });
    },
  );
});
