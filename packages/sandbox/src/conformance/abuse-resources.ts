import { expect } from '@jest/globals';
import type { SandboxSession } from '../contract.js';
import {
  counting,
  eventually,
  FORK_BOMB,
  FOUR_BUSY,
  LIMITS,
  output,
  python,
  type SandboxTest,
  sh,
} from './bench.js';

const MIB = 1024 * 1024;

export const RESOURCE_ABUSE: SandboxTest[] = [
  {
    id: 'abuse.res.flood',
    guarantee: 'endless output on both streams is capped, and the command still times out',
    run: async (bench) => {
      const session = await bench.open({ limits: { ...LIMITS, outputBytes: MIB } });
      const result = await sh(session, 'yes >&2 & yes', { timeoutMs: 700 });
      expect(result).toMatchObject({ timedOut: true, truncated: true });
      expect(result.stdout.length + result.stderr.length).toBe(MIB);
      expect(result.durationMs).toBeLessThan(4_000);
    },
  },
  {
    id: 'abuse.res.long-line',
    guarantee: 'a line without end passes by, capped, and the command ends by itself',
    run: async (bench) => {
      const session = await bench.open();
      const size = bench.isQuick ? '200M' : '1G';
      const result = await sh(session, `head -c ${size} /dev/zero | tr "\\0" x`);
      expect(result).toMatchObject({ exitCode: 0, truncated: true, timedOut: false });
      expect(result.stdout.length).toBe(4 * MIB);
    },
  },
  {
    id: 'abuse.res.zombies',
    guarantee: 'orphans and zombies are reaped',
    run: async (bench) => {
      const session = await bench.open();
      await python(
        session,
        `
import os
for i in range(40):
    if os.fork() == 0:
        if os.fork() == 0: os._exit(0)
        os._exit(0)
`,
      );
      const zombies = 'grep -l "State:.Z" /proc/[0-9]*/status 2>/dev/null | wc -l';
      await eventually(async () => (await output(session, zombies)) === '0');
    },
  },
  {
    id: 'abuse.res.memory',
    guarantee: 'a memory hog dies of it, is reported as such, and the sandbox lives',
    run: async (bench) => {
      if (!bench.provider.capabilities.groupLimits) return;
      const session = await bench.open();
      const hog = await python(session, 'x = bytearray(1 << 30)');
      expect(hog).toMatchObject({ exitCode: 137, signal: 'SIGKILL', oomKilled: true, timedOut: false });
      const memfd = await python(
        session,
        `
import os
f = os.memfd_create('hog')
while True: os.write(f, b'x' * (1 << 20))`,
      );
      expect(memfd).toMatchObject({ exitCode: 137, oomKilled: true });
      expect(await output(session, 'echo alive')).toBe('alive');
      expect((await session.stats()).oomKills).toBeGreaterThanOrEqual(2);
    },
  },
  {
    id: 'abuse.res.memory-of-many',
    guarantee: 'the memory limit holds for all processes together',
    run: async (bench) => {
      if (!bench.provider.capabilities.groupLimits) return;
      // The limit of the group is the memory and the sizes of its disks, which hold fewer than half of the processes.
      const session = await bench.open({ limits: { ...LIMITS, memoryBytes: 64 * MIB, workspaceBytes: MIB } });
      const result = await python(
        session,
        `
import os, time
alive = []
for i in range(20):
    pid = os.fork()
    if pid == 0:
        x = bytearray(40 << 20)
        os.kill(os.getpid(), 19)
        os._exit(0)
    # One after the other: twenty at once wait for the kernel's search for memory, which takes seconds.
    if os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1]): alive.append(pid)
# A stopped process is killed for the memory of a later one, and takes a moment to end.
while len(alive) > 11:
    time.sleep(0.01)
    alive = [c for c in alive if os.waitpid(c, os.WNOHANG)[0] == 0]
print('limited')`,
        { timeoutMs: 8_000 },
      );
      expect(result.timedOut).toBe(false);
      // The parent may be the one that is killed.
      expect(result.exitCode === 137 || result.stdout.toString() === 'limited\n').toBe(true);
      expect(await output(session, 'echo alive')).toBe('alive');
    },
  },
  {
    id: 'abuse.res.fork-bomb',
    guarantee:
      'a fork bomb stays in its limit and its sandbox: the next command works, other sandboxes are hardly slowed down',
    run: async (bench) => {
      const other = await bench.open();
      const session = await bench.open();
      let seen = await bombed(session, other, 1_500);
      // Other work on this machine comes and goes between the measurements: only what repeats is the bomb's doing.
      for (const timeoutMs of [3_000, 6_000]) {
        if (seen.wasFull && seen.disturbedMs < seen.boundMs) break;
        seen = await bombed(session, other, timeoutMs);
      }
      expect(seen.wasFull).toBe(true);
      expect(seen.disturbedMs).toBeLessThan(seen.boundMs);
    },
  },
  {
    id: 'abuse.res.background-bomb',
    guarantee: 'a command starts even when background jobs have used up all processes',
    run: async (bench) => {
      const session = await bench.open();
      await sh(session, 'for i in $(seq 500); do sleep 300 & done');
      const counted = await session.exec(['sh', '-c', 'echo /proc/[0-9]* | wc -w'], { timeoutMs: 10_000 });
      expect([0, 2]).toContain(counted.exitCode);
      let jobs = 0;
      // A job that has been forked bears the name of its shell until it executes `sleep`.
      await eventually(async () => {
        const result = await session.exec(['sh', '-c', counting('sleep')], { timeoutMs: 10_000 });
        jobs = Number(result.stdout);
        return jobs > 30;
      });
      expect(jobs).toBeLessThanOrEqual(LIMITS.pids + 16);
      await session.killAll();
      expect(await output(session, counting('sleep'))).toBe('0');
    },
  },
  {
    id: 'abuse.res.cpu',
    guarantee: 'four busy processes under a limit of one CPU use about one CPU',
    run: async (bench) => {
      if (!bench.provider.capabilities.groupLimits) return;
      const session = await bench.open();
      const { cpuMs: before = Number.NaN } = await session.stats();
      const result = await sh(session, FOUR_BUSY, { timeoutMs: 2_000 });
      const { cpuMs: after = Number.NaN } = await session.stats();
      expect(after - before).toBeGreaterThan(0);
      expect(after - before).toBeLessThan(result.durationMs * 1.3);
    },
  },
  {
    id: 'abuse.res.descriptors',
    guarantee: 'ten thousand sockets or pipes end in EMFILE inside only',
    run: async (bench) => {
      const session = await bench.open();
      const result = await python(
        session,
        `
import os, socket
held = []
try:
    for i in range(10000): held.append(os.pipe())
    print('pipes')
except OSError as e: print(e.errno)
for a, b in held: os.close(a); os.close(b)
held = []
try:
    for i in range(10000): held.append(socket.socket())
    print('sockets')
except OSError as e: print(e.errno)
`,
      );
      expect(result.stdout.toString()).toBe('24\n24\n');
      expect(await output(session, 'echo alive')).toBe('alive');
    },
  },
  {
    id: 'abuse.res.terminals',
    guarantee: 'pseudo-terminals work, and one sandbox cannot use up those of the others',
    run: async (bench) => {
      const hoarder = await bench.open();
      // Two processes: the descriptors of one do not reach.
      const hoard = `
import os, pty, sys, time
os.fork()
taken = []
try:
    while len(taken) < 4096: taken.append(pty.openpty())
except OSError: pass
os.write(1, b'.')
time.sleep(30)`;
      let reports = 0;
      let hoarded = () => {};
      const bothTook = new Promise<void>((resolve) => {
        hoarded = resolve;
      });
      const hoarding = hoarder.exec(['python3', '-c', hoard], {
        timeoutMs: 25_000,
        onStdout: (data) => {
          reports += data.length;
          if (reports >= 2) hoarded();
        },
      });
      await bothTook;
      const other = await bench.open();
      const result = await python(
        other,
        'import os, pty\nmain, other = pty.openpty()\nos.write(main, b"fine\\n")\nprint(os.read(other, 9).decode().strip())',
      );
      expect(result.stdout.toString()).toBe('fine\n');
      await hoarder.destroy();
      await hoarding.catch(() => {});
    },
  },
  {
    id: 'abuse.res.stdin-hoarder',
    guarantee: 'input for a stopped reader does not pile up, and other commands continue',
    run: async (bench) => {
      const session = await bench.open();
      let sent = 0;
      const endless = (async function* () {
        for (;;) {
          sent += 65_536;
          yield Buffer.alloc(65_536);
        }
      })();
      const stopped = session
        .exec(['sleep', '60'], { stdin: endless, timeoutMs: 60_000 })
        .catch((error: unknown) => error);
      // Measured while it sleeps: input of a process that has ended is dropped as it comes.
      for (let command = 0; command < 5; command += 1)
        expect(await output(session, 'echo alive')).toBe('alive');
      expect(sent).toBeGreaterThan(0);
      expect(sent).toBeLessThan(4 * MIB);
      await session.destroy();
      expect(await stopped).toMatchObject({ code: 'sandbox_dead' });
    },
  },
  {
    id: 'abuse.res.priority',
    guarantee: 'a command cannot raise its priority',
    run: async (bench) => {
      const session = await bench.open();
      expect(await output(session, 'nice -n -20 nice 2>/dev/null')).toBe(await output(session, 'nice'));
      const raise = 'import os; os.setpriority(os.PRIO_PROCESS, 0, -20)';
      expect((await session.exec(['python3', '-c', raise], { timeoutMs: 10_000 })).exitCode).toBe(1);
    },
  },
];

/** The speed of another sandbox while a fork bomb holds all processes that it can get. */
async function bombed(session: SandboxSession, other: SandboxSession, timeoutMs: number) {
  const beforeMs = await medianExecMs(other);
  let isRunning = true;
  let onDot = () => {};
  const dot = new Promise<boolean>((resolve) => {
    onDot = () => resolve(true);
  });
  const bomb = python(session, FORK_BOMB, { timeoutMs, onStdout: onDot });
  const ended = bomb.then(() => {
    isRunning = false;
    return false;
  });
  const isFull = await Promise.race([dot, ended]);
  const disturbedMs = await medianExecMs(other);
  const wasFull = isFull && isRunning;
  expect(await bomb).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
  expect(await output(session, 'echo alive')).toBe('alive');
  const quietMs = Math.max(beforeMs, await medianExecMs(other));
  return { wasFull, disturbedMs, boundMs: Math.max(50, 20 * quietMs) };
}

async function medianExecMs(session: SandboxSession): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 15; round++) times.push((await session.exec(['true'])).durationMs);
  return times.sort((a, b) => a - b)[7] ?? 0;
}
