import { expect } from '@jest/globals';
import { SandboxError } from '../sandbox-error.js';
import { expectError, FORK_BOMB, LIMITS, output, type SandboxTest, sh } from './bench.js';

export const CONTROL_ABUSE: SandboxTest[] = [
  {
    id: 'abuse.ctl.forged-frames',
    guarantee: 'bytes that look like our protocol are only output',
    run: async (bench) => {
      const session = await bench.open();
      const exitFrame = Buffer.concat([frame(4, 5, 1), Buffer.from([0, 0, 0, 0])]);
      const forged = Buffer.concat([exitFrame, frame(0, 6, 1), Buffer.alloc(64, 0xff)]);
      const result = await session.exec(['sh', '-c', 'cat; exit 9'], { stdin: forged });
      expect(result.stdout.equals(forged)).toBe(true);
      expect(result.exitCode).toBe(9);
    },
  },
  {
    id: 'abuse.ctl.destroy-bomb',
    guarantee: 'a sandbox full of racing processes is destroyed as fast as an idle one',
    run: async (bench) => {
      const session = await bench.open();
      const bomb = session.exec(['python3', '-c', FORK_BOMB]);
      const dead = expectError(bomb, 'sandbox_dead');
      await sh(session, 'true');
      const startedAt = performance.now();
      await session.destroy();
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      await dead;
    },
  },
  {
    id: 'abuse.ctl.one-fails',
    guarantee: 'a refused creation harms no other creation at the same time',
    run: async (bench) => {
      const specs = Array.from({ length: 20 }, (_, index) => (index === 7 ? { template: 'none' } : {}));
      const results = await Promise.allSettled(specs.map((spec) => bench.open(spec)));
      expect(results.map((result) => (result.status === 'fulfilled' ? 'opened' : result.reason))).toEqual(
        specs.map((_, index) => (index === 7 ? expect.any(SandboxError) : 'opened')),
      );
      const alive = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      const replies = await Promise.all(alive.map((session) => output(session, 'echo alive')));
      expect(new Set(replies)).toEqual(new Set(['alive']));
    },
  },
  {
    id: 'abuse.ctl.no-answer',
    guarantee: 'timeouts hold although every process of the sandbox is stopped',
    run: async (bench) => {
      const session = await bench.open();
      const others = [1, 2, 3].map(() => session.exec(['sleep', '300'], { timeoutMs: 900 }));
      const stopper = session.exec(['sh', '-c', 'kill -STOP -1; kill -STOP $$'], { timeoutMs: 600 });
      for (const result of await Promise.all([stopper, ...others])) expect(result.exitCode).toBe(137);
      expect(await output(session, 'echo alive')).toBe('alive');
    },
  },
  {
    id: 'abuse.ctl.churn',
    guarantee: 'sandboxes one after another, some destroyed in mid-command, leave nothing',
    // A hundred pods one after another took a real cluster more than two minutes.
    timeoutMs: 300_000,
    run: async (bench) => {
      const rounds = bench.isQuick ? 3 : 10;
      for (let round = 0; round < rounds; round++) {
        await Promise.all(
          Array.from({ length: 10 }, async (_, index) => {
            const session = await bench.open({ limits: { ...LIMITS, workspaceBytes: 1 << 20 } });
            const running = session.exec(index % 2 === 0 ? ['true'] : ['sleep', '300']).catch(() => {});
            if (index % 2 === 0) await running;
            await session.destroy();
          }),
        );
      }
    },
  },
];

function frame(length: number, type: number, id: number): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt32LE(length, 0);
  header.writeUInt32LE(type, 4);
  header.writeUInt32LE(id, 8);
  return header;
}
