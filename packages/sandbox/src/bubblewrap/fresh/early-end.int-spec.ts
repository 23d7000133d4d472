import { expect, test } from '@jest/globals';
import { TestProvider } from '../test-provider.js';

const SPEC = {
  limits: { cpu: 1, memoryBytes: 64 << 20, pids: 64, workspaceBytes: 1 << 20 },
  labels: { runId: 'early-end', attemptId: 'early-end' },
};
const LANES = 4;
const MOMENTS = 240;
const STEP_MS = 0.1;

test('commands that are ended while they start leave nothing, at whatever moment', async () => {
  const machine = new TestProvider();
  const provider = await machine.open({ compiler: null });
  const session = await provider.create(SPEC);
  let moment = 0;
  const lane = async () => {
    while (moment < MOMENTS) {
      const { timedOut } = await session.exec(['sleep', '300'], { timeoutMs: STEP_MS * ++moment });
      expect(timedOut).toBe(true);
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  await session.destroy();
  await provider.close();
  await machine.expectNothingLeft();
}, 60_000);
