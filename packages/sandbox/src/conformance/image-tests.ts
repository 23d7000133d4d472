import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@jest/globals';
import type { SandboxSession } from '../contract.js';
import type { SandboxSpec } from '../spec.js';
import { type Bench, buffered, expectError, output, replay, type SandboxTest, sh } from './bench.js';

const MIB = 1024 * 1024;
/** CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID and SYS_CHROOT, as `CapBnd` shows them. */
const ROOT_CAPABILITIES = 0x400fbn;

/**
 * The image of these tests: a shell, coreutils and python3 on its PATH; `/app/greeting` of root with `hello`, `/app/old` and
 * `/app/folder/kept`; `/elsewhere`, a link to `/tmp`; the variable IMAGE_VARIABLE=of-the-image; its root directory belongs to root.
 */
function onImage(bench: Bench, changes: { runAsRoot?: boolean } & Partial<SandboxSpec> = {}) {
  const { runAsRoot = false, ...spec } = changes;
  return bench.open({ image: { reference: bench.imageReference(), runAsRoot }, ...spec });
}

const asRoot = (bench: Bench, spec: Partial<SandboxSpec> = {}) =>
  onImage(bench, { runAsRoot: true, ...spec });

async function carried(from: Awaited<ReturnType<Bench['open']>>, to: typeof from): Promise<void> {
  const snapshot = from.snapshot();
  const chunks = await buffered(snapshot.chunks);
  const { omitted } = await snapshot.report;
  const restored = await to.restore(replay(chunks));
  expect({ taken: omitted, restored: restored.omitted }).toEqual({ taken: [], restored: [] });
}

async function programOf(session: SandboxSession): Promise<string> {
  const [program = ''] = (await output(session, 'tr "\\0" "\\n" < /proc/1/cmdline')).split('\n');
  expect(program).toMatch(/^\//);
  return program;
}

const INSTALL = `
set -e
mkdir -p /opt/tool/bin
printf '#!/bin/sh\\necho installed\\n' > /opt/tool/bin/tool; chmod 755 /opt/tool/bin/tool
ln -s /opt/tool/bin/tool /usr/local/bin/tool
rm /app/old; rm -r /app/folder; mkdir /app/folder; echo new > /app/folder/other
echo changed > /app/greeting; chown 33:44 /app/greeting; chmod 640 /app/greeting
mv /etc/image-file /etc/moved; mkdir -m 1777 /shared
`;

const DESCRIBE = `
tool; cat /app/greeting; ls /app /app/folder
stat -c '%n %u %g %a %F' /app/greeting /opt/tool/bin/tool /usr/local/bin/tool /shared /etc/moved
ls /etc/image-file 2>&1 || true`;

export const IMAGE_TESTS: SandboxTest[] = [
  {
    id: 'image.contents',
    guarantee: 'files, environment and permissions are those of the image, and the user is 1000',
    run: async (bench) => {
      const session = await onImage(bench);
      expect(await output(session, 'cat /app/greeting; echo $IMAGE_VARIABLE; id -u; id -g; id -G')).toBe(
        'hello\nof-the-image\n1000\n1000\n1000',
      );
      const refused = await sh(session, 'echo x > /app/greeting');
      expect(refused.exitCode).not.toBe(0);
      expect(await output(session, 'grep "Cap[EBPA]" /proc/self/status | grep -v 0000000000000000')).toBe('');
    },
  },
  {
    id: 'image.spec-environment',
    guarantee: 'the environment of the spec wins over that of the image',
    run: async (bench) => {
      const session = await onImage(bench, { env: { IMAGE_VARIABLE: 'of-the-spec' } });
      expect(await output(session, 'echo $IMAGE_VARIABLE')).toBe('of-the-spec');
    },
  },
  {
    id: 'image.workspace',
    guarantee: 'a workspace in a directory of the image shows its files and belongs to the user',
    run: async (bench) => {
      const filesystem = { workingDirectory: '/app', stagedRoots: ['/grader'] };
      const session = await onImage(bench, { filesystem });
      expect(await output(session, 'pwd; cat greeting; echo mine > own && cat own')).toBe(
        '/app\nhello\nmine',
      );
      await session.writeFile('/app/sent', 'by the host');
      expect((await session.readFile('/app/greeting')).data.toString()).toBe('hello\n');
      await session.writeFile('/grader/test.py', 'x', { roots: ['/grader'] });
      expect(await output(session, 'cat sent /grader/test.py')).toBe('by the hostx');
    },
  },
  {
    id: 'image.root-user',
    guarantee:
      'root in an image gives files away, becomes other users and writes anywhere, and has no rights on the host',
    run: async (bench) => {
      const session = await asRoot(bench);
      const script = `id -u; touch /usr/bin/x; chown 33 /usr/bin/x; stat -c %u /usr/bin/x
python3 -c 'import os; os.setgroups([]); os.setgid(33); os.setuid(33); print(os.getuid()); open("/tmp/y", "w")'
stat -c %u /tmp/y; echo $HOME`;
      expect(await output(session, script)).toBe('0\n33\n33\n33\n/root');
    },
  },
  {
    id: 'image.root-limits',
    guarantee: 'root in an image mounts nothing and makes no device and no namespace',
    run: async (bench) => {
      const session = await asRoot(bench);
      const tries = ['mount -t tmpfs x /mnt', 'mknod /dev-null c 1 3', 'unshare -U true'];
      for (const attempt of tries) {
        expect({ attempt, exitCode: (await sh(session, attempt)).exitCode }).not.toEqual({
          attempt,
          exitCode: 0,
        });
      }
      expect((await sh(session, 'kill -9 1; kill -9 -1')).exitCode).not.toBe(126);
      await session.ping();
    },
  },
  {
    id: 'image.root-capabilities',
    guarantee: 'root in an image has the capabilities of package managers and no other, and cannot gain any',
    run: async (bench) => {
      const status = await output(await asRoot(bench), 'cat /proc/self/status');
      const [, bounding = ''] = /CapBnd:\t(\w+)/.exec(status) ?? [];
      expect(BigInt(`0x${bounding}`) & ~ROOT_CAPABILITIES).toBe(0n);
      expect(status).not.toMatch(/NoNewPrivs:\t0/);
      expect(status).toMatch(/Seccomp:\t2\n/);
    },
  },
  {
    id: 'image.own-program',
    guarantee: 'root in an image can neither change nor replace the program that serves the sandbox',
    run: async (bench) => {
      const session = await asRoot(bench);
      const program = await programOf(session);
      const changes = [`echo x > ${program}`, `rm ${program}`, `chmod 777 ${program}`];
      for (const change of changes) {
        expect([change, (await sh(session, change)).exitCode]).not.toEqual([change, 0]);
      }
      await sh(session, `mv ${program.replace(/\/[^/]*$/, '')} /moved; echo 1000 > /proc/1/oom_score_adj`);
      expect(await session.writeFile('after', 'x')).toMatchObject({ bytes: 1 });
      expect(await output(session, 'cat after')).toBe('x');
    },
  },
  {
    id: 'image.own-environment',
    guarantee: 'root in an image reads nothing of the process inside',
    run: async (bench) => {
      const session = await asRoot(bench);
      expect((await sh(session, 'cat /proc/1/environ')).exitCode).not.toBe(0);
    },
  },
  {
    id: 'image.own-program-unread',
    guarantee: 'root in an image cannot read the program that serves the sandbox',
    run: async (bench) => {
      const session = await asRoot(bench);
      expect((await sh(session, `cat ${await programOf(session)}`)).exitCode).not.toBe(0);
    },
  },
  {
    id: 'image.directories',
    guarantee:
      'directories of the host are shown in the image, and no link of the image leads them elsewhere',
    run: async (bench) => {
      const directory = bench.hostDirectory();
      writeFileSync(path.join(directory, 'data'), 'of the host');
      const shownAt = (at: string) => ({ directories: [{ source: directory, path: at }] });
      for (const open of [onImage, asRoot]) {
        const session = await open(bench, shownAt('/opt/agents/shown'));
        expect(await output(session, 'cat /opt/agents/shown/data')).toBe('of the host');
        const { exitCode } = await sh(session, 'echo x > /opt/agents/shown/data');
        expect(exitCode).not.toBe(0);
      }
      const error = await expectError(onImage(bench, shownAt('/elsewhere/shown')), 'invalid_image');
      expect(error.message).toContain('elsewhere');
    },
  },
  {
    id: 'image.snapshot',
    guarantee:
      'a snapshot brings what was installed, changed, moved and removed into a fresh sandbox of the image',
    run: async (bench) => {
      const [from, to] = [await asRoot(bench), await asRoot(bench)];
      expect(await sh(from, INSTALL)).toMatchObject({ exitCode: 0 });
      await carried(from, to);
      expect(await output(to, DESCRIBE)).toBe(await output(from, DESCRIBE));
      expect(await output(to, 'tool; stat -c "%u %g %a" /app/greeting; ls /app/folder')).toBe(
        'installed\n33 44 640\nother',
      );
    },
  },
  {
    id: 'image.snapshot-of-a-user',
    guarantee: 'the changes of an ordinary user reach the fresh sandbox, too',
    run: async (bench) => {
      const filesystem = { workingDirectory: '/app' };
      const [from, to] = [await onImage(bench, { filesystem }), await onImage(bench, { filesystem })];
      expect(await sh(from, 'rm old; mkdir made; echo x > made/file; echo y > "$HOME/z"')).toMatchObject({
        exitCode: 0,
      });
      await carried(from, to);
      const look = 'ls /app /app/made; cat "$HOME/z"';
      expect(await output(to, look)).toBe(await output(from, look));
      expect(await output(to, 'ls /app')).not.toMatch(/\bold\b/);
    },
  },
  {
    id: 'image.snapshot-of-nothing',
    guarantee: 'a snapshot of an unchanged image holds next to nothing, and no passing file is part of one',
    run: async (bench) => {
      const session = await asRoot(bench, { filesystem: { stagedRoots: ['/grader'] } });
      await sh(session, 'echo x > /tmp/passing; echo secret > /grader/expected');
      const chunks = Buffer.concat(await buffered(session.snapshot().chunks));
      expect(chunks.length).toBeLessThan(MIB);
      expect(chunks.includes('passing')).toBe(false);
      expect(chunks.includes('secret')).toBe(false);
    },
  },
  {
    id: 'image.hostile-restore',
    guarantee:
      'a forged archive of changes makes no device and no set-id file, and changes nothing of the platform',
    run: async (bench) => {
      const session = await asRoot(bench, { filesystem: { stagedRoots: ['/grader'] } });
      await session.writeFile('/grader/test', 'kept', { roots: ['/grader'] });
      const forge = `
import io, sys, tarfile
t = tarfile.open(fileobj=sys.stdout.buffer, mode='w|', format=tarfile.GNU_FORMAT)
def add(name, type=tarfile.REGTYPE, link='', data=b'x', mode=0o644):
    i = tarfile.TarInfo(name); i.type = type; i.linkname = link; i.mode = mode
    i.size = len(data) if type in (tarfile.REGTYPE, b'D') else 0
    t.addfile(i, io.BytesIO(data))
add('usr/bin/suid', mode=0o6755); add('dev/null2'); add('node', tarfile.CHRTYPE); add('grader/test')
add('../up'); add('out', tarfile.SYMTYPE, '/grader')
add('.', b'D', data=b'bin\\0lib\\0lib64\\0usr\\0workspace\\0')
t.close()`;
      const { stdout } = await session.exec(['python3', '-'], { stdin: forge, cwd: '/tmp', roots: ['/'] });
      await session.restore(replay([stdout]));
      expect(
        await output(
          session,
          'stat -c %a /usr/bin/suid; cat /grader/test; echo; ls -d /node /up /app 2>/dev/null; ls /proc/1/comm',
        ),
      ).toBe('755\nkept\n/proc/1/comm');
      const malformed = Buffer.from(stdout);
      malformed.fill(0xff, 0, 64);
      await expectError(session.restore(replay([malformed])), 'invalid_argument');
    },
  },
  {
    id: 'image.apart',
    guarantee: 'sandboxes of one image at the same time see no change of each other',
    run: async (bench) => {
      const sessions = await Promise.all(Array.from({ length: 8 }, () => asRoot(bench)));
      await Promise.all(
        sessions.map((each, index) => sh(each, `echo ${index} > /app/greeting; rm /app/old`)),
      );
      const seen = await Promise.all(sessions.map((each) => output(each, 'cat /app/greeting')));
      expect(seen).toEqual(sessions.map((_, index) => String(index)));
      expect(await output(await onImage(bench), 'cat /app/greeting; ls /app/old')).toBe('hello\n/app/old');
    },
  },
  {
    id: 'image.disk',
    guarantee: 'the limit of the disk holds for the whole root',
    run: async (bench) => {
      const session = await asRoot(bench);
      const filled = await sh(session, 'head -c 64M /dev/zero > /usr/lib/large');
      expect(filled.exitCode).not.toBe(0);
      expect(filled.stderr.toString()).toMatch(/No space left|quota/i);
      expect(await output(session, 'rm /usr/lib/large; echo works')).toBe('works');
    },
  },
  {
    id: 'image.unknown',
    guarantee: 'an image that does not exist is refused with its reference',
    run: async (bench) => {
      const reference = `nowhere.invalid/none@sha256:${'0'.repeat(64)}`;
      const error = await expectError(bench.open({ image: { reference } }), 'invalid_image', 'unavailable');
      expect(error.message).toContain('nowhere.invalid/none');
    },
  },
];
