import { expect } from '@jest/globals';
import { counting, expectError, output, type SandboxTest, sh } from './bench.js';

/** Longer than a busy machine needs to come from one line of a test to the next. */
const LEASE_MS = 1_500;

export const LIFECYCLE_TESTS: SandboxTest[] = [
  {
    id: 'life.destroy',
    guarantee: 'destroy is idempotent, and every verb afterwards is sandbox_dead',
    run: async (bench) => {
      const session = await bench.open();
      await Promise.all([session.destroy(), session.destroy()]);
      await session.destroy();
      expect(await session.ended).toMatchObject({ death: 'destroyed' });
      const calls = [
        () => session.exec(['true']),
        () => session.readFile('x'),
        () => session.writeFile('x', ''),
        () => session.list('.'),
        () => session.stat('.'),
        () => session.killAll(),
        () => session.ping(),
        () => session.restore((async function* () {})()),
      ];
      for (const call of calls) {
        expect((await expectError(call(), 'sandbox_dead')).death).toBe('destroyed');
      }
      session.renewLease();
    },
  },
  {
    id: 'life.destroy-while-running',
    guarantee: 'destroying under a running command ends the command with sandbox_dead',
    run: async (bench) => {
      const session = await bench.open();
      const running = session.exec(['sleep', '300']);
      const failed = expectError(running, 'sandbox_dead');
      await session.destroy();
      await failed;
    },
  },
  {
    id: 'life.lease',
    guarantee: 'a lease that is not renewed ends the sandbox; a renewed one does not',
    run: async (bench) => {
      const kept = await bench.open({ leaseMs: LEASE_MS });
      kept.renewLease(60_000);
      // Its lease ends after that which the other would have without being renewed.
      const short = await bench.open({ leaseMs: LEASE_MS });
      expect(await short.ended).toMatchObject({ death: 'lease_expired' });
      expect((await expectError(short.exec(['true']), 'sandbox_dead')).death).toBe('lease_expired');
      expect(await output(kept, 'echo alive')).toBe('alive');
    },
  },
  {
    id: 'life.wall-time',
    guarantee: 'the wall time ends the sandbox however often the lease is renewed',
    run: async (bench) => {
      const session = await bench.open({
        leaseMs: 60_000,
        limits: { cpu: 1, memoryBytes: 64 << 20, pids: 32, workspaceBytes: 1 << 20, wallMs: 3_000 },
      });
      session.renewLease(60_000);
      expect(await session.ended).toMatchObject({ death: 'wall_time' });
    },
  },
  {
    id: 'life.ping',
    guarantee: 'a live sandbox responds, and its figures can be read',
    run: async (bench) => {
      const session = await bench.open();
      await session.ping();
      const stats = await session.stats();
      if (bench.provider.capabilities.groupLimits) {
        expect(stats).toMatchObject({
          oomKills: 0,
          processes: expect.any(Number),
          cpuMs: expect.any(Number),
        });
      }
    },
  },
  {
    id: 'life.apart',
    guarantee: 'two sandboxes share no file, process or temporary directory, at once or one after the other',
    run: async (bench) => {
      const first = await bench.open();
      await sh(first, 'echo secret | tee /tmp/s /dev/shm/s ~/s /workspace/s; sleep 300 &');
      const look = `ls /tmp /dev/shm ~ /workspace | grep s$; ${counting('sleep')} | grep -v '^0$'; echo looked`;
      const second = await bench.open();
      expect(await output(second, `${look} | grep -v :`)).toBe('looked');
      await first.destroy();
      const third = await bench.open();
      expect(await output(third, `${look} | grep -v :`)).toBe('looked');
    },
  },
  {
    id: 'life.refusals',
    guarantee: 'a missing feature is unsupported, and a bad spec is invalid; nothing is weakened silently',
    run: async (bench) => {
      await expectError(bench.open({ template: 'no-such-image' }), 'unsupported');
      await expectError(
        bench.open({ limits: { cpu: 0, memoryBytes: 1, pids: 1, workspaceBytes: 1 } }),
        'invalid_argument',
      );
      await expectError(bench.open({ env: { 'A=B': 'x' } }), 'invalid_argument');
      await expectError(bench.open({ filesystem: { workingDirectory: 'relative' } }), 'invalid_path');
      await expectError(bench.open({ filesystem: { workingDirectory: '/usr/lib' } }), 'unsupported');
      const aborted = bench.provider.create(
        {
          limits: { cpu: 1, memoryBytes: 64 << 20, pids: 32, workspaceBytes: 1 << 20 },
          labels: { runId: 'r', attemptId: 'a' },
        },
        { signal: AbortSignal.abort(new Error('no longer')) },
      );
      await expect(aborted).rejects.toThrow('no longer');
    },
  },
  {
    id: 'life.many',
    guarantee: 'many sandboxes created at once are separate',
    run: async (bench) => {
      const sessions = await Promise.all(Array.from({ length: 12 }, () => bench.open()));
      await Promise.all(sessions.map((session, index) => session.writeFile('n', String(index))));
      const read = await Promise.all(sessions.map((session) => session.readFile('n')));
      expect(read.map((file) => Number(file.data))).toEqual(sessions.map((_, index) => index));
      expect(new Set(sessions.map((session) => session.id)).size).toBe(sessions.length);
    },
  },
];
