import { expect } from '@jest/globals';
import { expectError, LIMITS, output, python, type SandboxTest, sh } from './bench.js';

const MIB = 1024 * 1024;

const EVERYTHING = { roots: ['/'] };

export const FILESYSTEM_ABUSE: SandboxTest[] = [
  {
    id: 'abuse.fs.shadow',
    guarantee: "the host's password hashes cannot be read, by commands or through the API",
    run: async (bench) => {
      const session = await bench.open();
      expect((await sh(session, 'cat /etc/shadow')).exitCode).not.toBe(0);
      await sh(session, 'ln -s /etc/shadow s; mkdir d; ln -s /etc d/etc');
      await expectError(session.readFile('s'), 'not_permitted');
      await expectError(session.readFile('d/etc/shadow'), 'not_permitted');
      await expectError(session.readFile('s', EVERYTHING), 'not_found', 'not_permitted');
    },
  },
  {
    id: 'abuse.fs.neighbour',
    guarantee: 'files, environment and processes of another live sandbox cannot be found',
    run: async (bench) => {
      const mark = `mark-${process.pid}-of-another`;
      const other = await bench.open({ env: { SECRET: mark } });
      await sh(other, 'echo $SECRET | tee s /tmp/s /dev/shm/s ~/s; sleep 300 &');
      const session = await bench.open();
      // In two parts, so that the search does not find itself.
      const found = await sh(
        session,
        `a=${mark.slice(0, 5)}; b=${mark.slice(5)}
        grep -rls -D skip "$a$b" / --exclude-dir=usr --exclude-dir=sys --exclude-dir=dev --exclude-dir=proc
        grep -rls -D skip "$a$b" /dev/shm; grep -ls "$a$b" /proc/[0-9]*/environ /proc/[0-9]*/cmdline`,
        { timeoutMs: 20_000 },
      );
      expect({ stdout: found.stdout.toString(), timedOut: found.timedOut }).toEqual({
        stdout: '',
        timedOut: false,
      });
      expect(await output(other, 'cat s')).toBe(mark);
    },
  },
  {
    id: 'abuse.fs.host-directories',
    guarantee: 'directories with state of the host are absent or empty',
    run: async (bench) => {
      const session = await bench.open();
      const script =
        'for d in /root /srv /var/lib /run /opt /mnt /boot /work /usr/local/etc /usr/local/src; do ls -A $d 2>/dev/null; done';
      expect(await output(session, script)).toBe('');
    },
  },
  {
    id: 'abuse.fs.kernel-directories',
    guarantee: "the kernel's own directories, with devices, modules and cgroups, are absent or empty",
    run: async (bench) => {
      const session = await bench.open();
      expect(await output(session, 'ls -A /sys /sys/fs/cgroup 2>/dev/null')).toBe('');
    },
  },
  {
    id: 'abuse.fs.read-only',
    guarantee: 'nothing outside the writable places can be written, not even the program that serves us',
    run: async (bench) => {
      const session = await bench.open();
      const targets = [
        '/usr/x',
        '/usr/bin/sh',
        '/x',
        '/etc/passwd',
        '/etc/x',
        '/dev/x',
        '/home/x',
        '/.agentclash/inside',
        '/.agentclash/x',
      ];
      for (const target of targets) {
        expect([target, (await sh(session, `echo x > ${target}`)).exitCode]).not.toEqual([target, 0]);
      }
      await expectError(session.writeFile('/etc/passwd', 'x', EVERYTHING), 'not_permitted');
      await expectError(session.writeFile('/x', 'x', EVERYTHING), 'not_permitted');
      expect(
        (await sh(session, 'mount -o remount,rw /; mount -o remount,rw /usr; chmod 777 /')).exitCode,
      ).not.toBe(0);
    },
  },
  {
    id: 'abuse.fs.devices',
    guarantee: 'no device can be made and none of the host is there',
    run: async (bench) => {
      const session = await bench.open();
      const make = await sh(session, 'mknod n b 254 0; mknod c c 1 1; ls');
      expect(make.stdout.toString()).toBe('');
      const absent = [
        'vda',
        'sda',
        'mem',
        'kmem',
        'port',
        'kvm',
        'kmsg',
        'fuse',
        'net/tun',
        'loop0',
        'loop-control',
        'vsock',
      ];
      expect(await output(session, `cd /dev; ls -d ${absent.join(' ')} 2>/dev/null`)).toBe('');
    },
  },
  {
    id: 'abuse.fs.endless-files',
    guarantee: 'reading a pipe, an endless device or a 10 TB sparse file is a typed error at once',
    run: async (bench) => {
      const session = await bench.open();
      await sh(session, 'mkfifo pipe; truncate -s 10T sparse; ln -s /dev/zero zero');
      const startedAt = performance.now();
      await expectError(session.readFile('pipe'), 'not_regular_file');
      await expectError(session.readFile('zero'), 'not_permitted');
      await expectError(session.readFile('/dev/zero', EVERYTHING), 'not_regular_file');
      await expectError(session.readFile('sparse'), 'too_large');
      const part = await session.readFile('sparse', { offset: 5e12, length: 10 });
      expect(part.data).toEqual(Buffer.alloc(10));
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    },
  },
  {
    id: 'abuse.fs.swap',
    guarantee: 'a file swapped for a link during reads and writes never leads outside',
    run: async (bench) => {
      const session = await bench.open({ filesystem: { stagedRoots: ['/grader'] } });
      await session.writeFile('/grader/key', 'SECRET', { roots: ['/grader'] });
      await session.writeFile('/workspace/real/key', 'plain');
      await sh(
        session,
        `mkdir -p swap; (while :; do
        ln -sfn /grader swap/d; ln -sfn /grader/key swap/f; ln -sfn ../real swap/d; rm swap/f; echo plain > swap/f
        done) >/dev/null 2>&1 &`,
      );
      for (let round = 0; round < 150; round++) {
        const reads = await Promise.allSettled([session.readFile('swap/f'), session.readFile('swap/d/key')]);
        for (const read of reads) {
          if (read.status === 'fulfilled') expect(read.value.data.toString()).not.toContain('SECRET');
        }
        await session.writeFile('swap/d/key', 'plain').catch(() => {});
      }
      await session.killAll();
      expect((await session.readFile('/grader/key', { roots: ['/grader'] })).data.toString()).toBe('SECRET');
    },
  },
  {
    id: 'abuse.fs.full-disks',
    guarantee: 'every writable place is bounded, and the sandbox lives on when all are full',
    run: async (bench) => {
      const session = await bench.open();
      for (const directory of ['/workspace', '/tmp', '"$HOME"', '/dev/shm']) {
        const filled = await sh(session, `cd ${directory} && head -c 2G /dev/zero > fill`);
        expect([directory, filled.exitCode]).not.toEqual([directory, 0]);
        expect(filled.stderr.toString()).toMatch(/No space left/);
      }
      await expectError(session.writeFile('x', 'some text'), 'no_space');
      await sh(session, 'rm /workspace/fill');
      expect(await session.writeFile('x', 'some text')).toMatchObject({ bytes: 9 });
    },
  },
  {
    id: 'abuse.fs.files',
    guarantee: 'empty files are bounded too, in number, and the sandbox lives on when there can be no more',
    run: async (bench) => {
      const session = await bench.open({ limits: { ...LIMITS, workspaceBytes: 8 * MIB } });
      const program = `
try:
    for at in range(50000): open(f'f{at}', 'x').close()
    print('all')
except OSError as error: print(error.strerror, at < 10000)
`;
      const made = await python(session, program);
      expect(made.stdout.toString()).toBe('No space left on device True\n');
      await expectError(session.writeFile('x', ''), 'no_space');
      await sh(session, 'rm f1');
      expect(await session.writeFile('x', 'text')).toMatchObject({ bytes: 4 });
    },
  },
  {
    id: 'abuse.fs.bombs',
    guarantee: 'a million files and 3,000 nested directories neither escape their limits nor break the API',
    run: async (bench) => {
      const session = await bench.open();
      const nested = `
import os
for i in range(3000):
    os.mkdir('d'); os.chdir('d')
`;
      expect(await python(session, nested, { timeoutMs: 60_000 })).toMatchObject({ exitCode: 0 });
      const many = `
import os
os.mkdir('many')
try:
    for i in range(1000000): os.close(os.open(f'many/{i}', os.O_CREAT))
except OSError: pass
`;
      await python(session, many, { timeoutMs: 1_000 });
      expect(await session.list('.', { entriesMax: 100 })).toMatchObject({ truncated: true });
      let bytes = 0;
      const snapshot = session.snapshot();
      for await (const chunk of snapshot.chunks) bytes += chunk.length;
      expect((await snapshot.report).entries).toBeGreaterThan(3_000);
      expect(bytes).toBeGreaterThan(1_000_000);
      await session.ping();
    },
  },
];
