import { execFileSync } from 'node:child_process';
import { expect } from '@jest/globals';
import { FORK_BOMB, output, python, type SandboxTest, sh } from '../../conformance/bench.js';
import { findProgram } from '../../host/config.js';
import { SandboxError } from '../../sandbox-error.js';

/** The program that the suites of gVisor run, or why there is none: their tests are skipped with that reason. */
export function findTestRunsc(): { program: string } | { skipped: string } {
  // biome-ignore lint/style/noProcessEnv: tests run with the environment of their user
  const program = process.env.SANDBOX_RUNSC ?? findProgram('runsc');
  if (process.getuid?.() !== 0) return { skipped: 'gVisor needs root' };
  if (program === undefined) return { skipped: 'runsc is not installed' };
  const [, day = ''] = /(\d{8})/.exec(execFileSync(program, ['--version']).toString()) ?? [];
  if (Number(day) < 20_240_729) return { skipped: `${program} of ${day} is older than 20240729` };
  return { program };
}

const MEMORY =
  'the kernel of the host limits memory, and may choose the kernel of the sandbox (gvisor.memory tests that)';
const NO_SCHEDSTAT =
  'gVisor has neither the file by which the command counts its CPU time, nor CPUs of the host to pin it to (starvation.same-work counts its work)';

export const GVISOR_EXCEPTIONS = {
  conformance: {
    'starvation.same-verdict': NO_SCHEDSTAT,
    'starvation.sleep': 'the kernel of the sandbox waits for CPUs in its name, which is not counted apart',
  },
  abuse: {
    'abuse.fs.kernel-directories': 'gVisor shows a /sys of its own (gvisor.kernel tests what is in it)',
    'abuse.fs.devices': 'gVisor has /dev/fuse and /dev/net/tun of its own (gvisor.kernel tests them)',
    'abuse.priv.no-new-privileges': 'gVisor shows neither; abuse.priv.no-root tests that nothing is gained',
    'abuse.res.priority': 'gVisor schedules nothing by priorities; the quota of the sandbox holds',
    'abuse.priv.first-process':
      'gVisor shows maps and names of descriptors to the same user (gvisor.first-process tests the rest)',
    'abuse.res.memory': MEMORY,
    'abuse.res.memory-of-many': MEMORY,
    'abuse.bomb.source': MEMORY,
  },
  images: {
    'image.own-environment': 'gVisor shows it to root, and there is nothing in it (gvisor.first-process)',
    'image.own-program-unread': 'gVisor runs only programs that can be read; this one is public',
  },
} as const;

/** Whatever task is under way, for its host: that it has ended well. */
const FORGE = `
import os, struct
end = b''.join(struct.pack('<III', 9, 5, task) + bytes(9) for task in range(1, 64))
own = ['/dev/null'] + [os.readlink(f'/proc/self/fd/{name}') for name in range(3)]
for pid in filter(str.isdigit, os.listdir('/proc')):
    if int(pid) == os.getpid(): continue
    for name in range(32):
        at = f'/proc/{pid}/fd/{name}'
        for mode in (os.O_WRONLY, os.O_RDONLY):
            try: fd = os.open(at, mode | os.O_NONBLOCK)
            except OSError: continue
            link = os.readlink(f'/proc/self/fd/{fd}')
            if link in own or not link.startswith(('host:', 'pipe:')): continue
            print('opened', at, link, mode, flush=True)
            try: os.write(fd, end) if mode else os.read(fd, 1)
            except OSError: pass
os._exit(3)
`;

/** Of what a sandbox is shown by the platform. */
const TRUNCATE = `
import os
for top in ('/agentclash', '/.agentclash', '/etc/passwd', '/etc/group'):
    for at in [top] + [os.path.join(d, f) for d, _, names in os.walk(top) for f in names]:
        if not os.path.isfile(at): continue
        size = os.stat(at).st_size
        for mode in (os.O_WRONLY, os.O_RDONLY, os.O_RDWR):
            try: os.close(os.open(at, mode | os.O_TRUNC))
            except OSError: pass
        if os.stat(at).st_size != size: print('truncated', at)
`;

/** In place of the exceptions. */
export const GVISOR_TESTS: SandboxTest[] = [
  {
    id: 'gvisor.kernel',
    guarantee: 'the kernel is not that of the host, and neither its devices nor its settings can be reached',
    run: async (bench) => {
      const session = await bench.open();
      const { stdout } = await sh(session, 'uname -r');
      expect(stdout.toString()).not.toBe(execFileSync('uname', ['-r']).toString());
      expect(await output(session, 'ls -A /sys/block /sys/module /sys/firmware | grep -v :')).toBe('');
      for (const attempt of [
        'echo x > /sys/kernel/x',
        'echo 0 > /sys/fs/cgroup/memory/cgroup.procs',
        'head -c1 < /dev/net/tun',
        'ip tuntap add dev t mode tun',
      ]) {
        expect([attempt, (await sh(session, attempt)).exitCode]).not.toEqual([attempt, 0]);
      }
    },
  },
  {
    id: 'gvisor.first-process',
    guarantee: 'the first process can be neither written to, read from memory, stopped nor killed',
    run: async (bench) => {
      const session = await bench.open();
      // But for its own: where no file was touched before, it is the fourth process.
      const look =
        'cd /proc; head -c1 1/mem; for n in [1-4]; do [ $n = $$ ] && continue; for p in $n/fd/[01]; do echo x > $p; head -c1 < $p; done; done; ls 1/root/root';
      expect((await sh(session, look)).stdout.toString()).toBe('');
      const names = await output(session, 'tr "\\0" "\\n" < /proc/1/environ | cut -d= -f1');
      // Every pod has variables with the address of the API server.
      const known = /^(?:|HOME|PATH|HOSTNAME|KUBERNETES_(?:SERVICE|PORT).*)$/;
      expect(names.split('\n').filter((name) => !known.test(name))).toEqual([]);
      await sh(session, 'kill -9 1; kill -STOP 1; kill -TERM 1; kill -ALRM 1; kill -SEGV 1; sleep 0.05');
      await session.ping();
      expect(await output(session, 'echo fine')).toBe('fine');
    },
  },
  {
    id: 'gvisor.streams',
    guarantee: 'a command opens no stream of the processes that serve the sandbox, and forges no result',
    run: async (bench) => {
      const session = await bench.open();
      const forged = await python(session, FORGE);
      expect(forged.stdout.toString()).toBe('');
      expect(forged).toMatchObject({ exitCode: 3, timedOut: false });
      expect((await sh(session, 'exit 7')).exitCode).toBe(7);
    },
  },
  {
    id: 'gvisor.truncation',
    guarantee: 'no file that the platform shows a sandbox is truncated by opening it',
    run: async (bench) => {
      const session = await bench.open();
      expect((await python(session, TRUNCATE)).stdout.toString()).toBe('');
      expect(await output(session, 'echo fine')).toBe('fine');
    },
  },
  {
    id: 'gvisor.memory',
    guarantee: 'a memory hog ends itself or its own sandbox, as out of memory, and no other',
    run: async (bench) => {
      const [session, other] = [await bench.open(), await bench.open()];
      const hog = python(session, 'all = []\nwhile True: all.append(b"x" * (16 << 20))');
      const result = await hog.catch((error: unknown) => error);
      // The kernel of the host chooses: the process, or that which is the kernel of the sandbox.
      if (result instanceof SandboxError) expect(result).toMatchObject({ death: 'oom' });
      else expect(result).toMatchObject({ oomKilled: true, timedOut: false });
      expect(await output(other, 'echo fine')).toBe('fine');
    },
  },
  {
    id: 'gvisor.fork-bomb',
    guarantee: 'a fork bomb ends at its limits, or ends its own sandbox as out of memory, and no other',
    run: async (bench) => {
      const [session, other] = [await bench.open(), await bench.open()];
      const result = await python(session, FORK_BOMB, { timeoutMs: 6_000 }).catch((error: unknown) => error);
      if (result instanceof SandboxError) {
        expect(result).toMatchObject({ death: 'oom', message: 'the sandbox ran out of memory' });
      } else {
        expect(result).toMatchObject({ exitCode: 137 });
        expect(await output(session, 'echo alive')).toBe('alive');
      }
      expect(await output(other, 'echo fine')).toBe('fine');
    },
  },
];
