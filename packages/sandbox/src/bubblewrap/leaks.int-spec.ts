import { expect, test } from '@jest/globals';
import { TestProvider } from '../testing/test-provider.js';

const SANDBOXES = 2_000;
const LANES = 8;
const SPEC = {
  limits: { cpu: 1, memoryBytes: 64 << 20, pids: 64, workspaceBytes: 1 << 20 },
  labels: { runId: 'leaks', attemptId: 'leaks' },
};

test('sixty-four sandboxes at once work side by side, each its own, and leave nothing', async () => {
  const machine = new TestProvider();
  const provider = await machine.open();
  const numbers = Array.from({ length: 64 }, (_, number) => number);
  const sessions = await Promise.all(numbers.map(() => provider.create(SPEC)));
  const outputs = await Promise.all(
    sessions.map(async (session, number) => {
      await session.writeFile('number', String(number));
      return (await session.exec(['sh', '-c', 'sleep 300 & cat number'])).stdout.toString();
    }),
  );
  expect(outputs.map(Number)).toEqual(numbers);
  expect(machine.records()).toHaveLength(64);
  await Promise.all(sessions.map((session) => session.destroy()));
  expect(machine.records()).toEqual([]);
  await provider.close();
  await machine.expectNothingLeft();
});

const nightly = process.env.AGENTCLASH_NIGHTLY === undefined ? test.skip : test;

nightly(
  'two thousand sandboxes, every other one destroyed in mid-command, leave nothing (takes minutes: needs AGENTCLASH_NIGHTLY)',
  async () => {
    const machine = new TestProvider();
    const provider = await machine.open();
    let started = 0;
    const lane = async () => {
      while (started < SANDBOXES) {
        const isAbandoned = started++ % 2 === 0;
        const session = await provider.create(SPEC);
        await session.exec(['sh', '-c', 'setsid sleep 300 & echo x > f']);
        if (isAbandoned) void session.exec(['sleep', '300']).catch(() => {});
        await session.destroy();
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    await provider.close();
    await machine.expectNothingLeft();
    expect(started).toBeGreaterThanOrEqual(SANDBOXES);
  },
  20 * 60_000,
);

nightly(
  'an idle sandbox uses no CPU for a minute (takes minutes: needs AGENTCLASH_NIGHTLY)',
  async () => {
    const machine = new TestProvider();
    const provider = await machine.open();
    const session = await provider.create({ ...SPEC, leaseMs: 120_000 });
    await session.exec(['true']);
    const before = (await session.stats()).cpuMs ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    expect(((await session.stats()).cpuMs ?? 0) - before).toBeLessThan(50);
    await provider.close();
    await machine.expectNothingLeft();
  },
  2 * 60_000,
);
