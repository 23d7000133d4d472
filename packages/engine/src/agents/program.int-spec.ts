import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AttemptHarness } from '../testing/attempt-harness.js';
import { attemptPlan } from '../testing/plans.js';

const harness = new AttemptHarness();
beforeAll(() => harness.open());
afterAll(() => harness.close());

const MIB = 1024 * 1024;

describe('the files of a program', () => {
  test.each([64 * MIB + 1, 100 * MIB])(
    'the files of a program may be as large as an artifact: %d bytes are staged',
    async (bytes) => {
      const artifact = harness.store.add(Buffer.alloc(bytes, 'x'));
      const config = { command: ['wc', '-c', '/agent/data.bin'], files: [{ path: 'data.bin', artifact }] };
      const { result, events } = await harness.run(attemptPlan({ kind: 'program', config }));
      expect(result).toMatchObject({ outcome: 'completed' });
      const [output] = events.payloads('system.output.finalized');
      expect(output?.final_output).toBe(`${bytes} /agent/data.bin\n`);
    },
  );
});
