import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

async function leave(script: string) {
  const plan = attemptPlan({ kind: 'program', config: { command: ['python3', '-c', script] } });
  const { result } = await harness.run(plan);
  expect(result).toMatchObject({ outcome: 'completed' });
  return result.snapshot;
}

describe('the reference of a snapshot', () => {
  test('a snapshot reference has no omissions where there are none', async () => {
    expect(await leave("open('a', 'w').write('x')")).toEqual({
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: expect.any(Number),
    });
  });

  test.each([
    [
      'a sparse file',
      "open('k', 'w').truncate(5 << 30)",
      { count: 1, reasons: ['too_large'], examples: ['/workspace/k'] },
    ],
    [
      'a tree beyond the length of paths',
      "import os\nfor _ in range(30): os.mkdir('d' * 200); os.chdir('d' * 200)",
      { count: 1, reasons: ['too_deep'] },
    ],
    [
      'a sparse file after many pipes',
      "import os\nfor i in range(1100): os.mkfifo(f'a{i}')\nopen('z', 'w').truncate(5 << 30)",
      { count: 1_101, reasons: ['special_file', 'too_large'] },
    ],
  ])(
    'the reference of a snapshot counts its omissions and gives reasons: %s',
    async (_name, script, omitted) => {
      expect(await leave(script)).toMatchObject({ omitted });
    },
  );

  test('a snapshot omits nothing of a directory that its owner can list but not enter', async () => {
    const snapshot = await leave(
      "import os\nos.mkdir('d')\nopen('d/k', 'w').write('kept-4711')\nos.chmod('d', 0o400)",
    );
    if (snapshot === null) throw new Error('there is no snapshot');
    expect(snapshot).not.toHaveProperty('omitted');
    const chunks: Uint8Array[] = [];
    for await (const chunk of harness.store.get(snapshot)) chunks.push(chunk);
    expect(Buffer.concat(chunks).includes('kept-4711')).toBe(true);
  });
});
