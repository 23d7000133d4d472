import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { TestProvider } from '../testing/test-provider.js';

const SPEC = {
  limits: { cpu: 1, memoryBytes: 64 << 20, pids: 32, workspaceBytes: 1 << 20 },
  labels: { runId: 'r', attemptId: 'a' },
};
const machine = new TestProvider();
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => machine.expectNothingLeft());

test.each(['1999-12-31T23:59:59Z', '2100-01-01T00:00:00Z'])(
  'a wall clock that jumps to %s ends no sandbox early or late, and has no live sandbox removed',
  async (moment) => {
    const provider = await machine.open();
    const within = (wallMs: number) => provider.create({ ...SPEC, limits: { ...SPEC.limits, wallMs } });
    const kept = await within(3_600_000);
    const walled = await within(1_000);
    const short = await provider.create({ ...SPEC, leaseMs: 400 });
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse(moment));
    kept.renewLease();
    walled.renewLease();
    const late = kept.exec(['sleep', '60'], { timeoutMs: 300 });
    expect(await short.ended).toMatchObject({ death: 'lease_expired' });
    expect(await late).toMatchObject({ timedOut: true });
    expect(await provider.reap()).toEqual({ removed: [] });
    expect(await walled.ended).toMatchObject({ death: 'wall_time' });
    expect(await (await within(300)).ended).toMatchObject({ death: 'wall_time' });
    expect((await kept.exec(['echo', 'alive'])).stdout.toString()).toBe('alive\n');
    await provider.close();
  },
);
