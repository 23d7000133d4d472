import { expect } from '@jest/globals';
import { buffered, expectError, LIMITS, output, python, replay, type SandboxTest, sh } from './bench.js';

const MIB = 1024 * 1024;
const FRAME_BYTES_LEAST = 16 * MIB;

/** Each takes 1,536 bytes of the archive and, where a disk gives one block to a file, 4 KiB of the disk at most. */
const LONG_NAMES = `
for at in range(20000): open(f'{at:0>200}', 'x').close()
print(20000)`;

const TREE = `
mkdir -p src/deep empty locked
echo '#!/bin/sh' > src/run.sh; chmod 755 src/run.sh
printf 'one' > src/deep/file; ln src/deep/file src/hard
ln -s deep/file src/soft; ln -s /etc/passwd outside; ln -s nowhere dangling
cp /bin/true suid; chmod 4755 suid
echo x > locked/f; chmod 000 locked/f; chmod 555 locked
mkdir "$(printf 'd%.0s' $(seq 200))"; touch "$(printf 'd%.0s' $(seq 200))/$(printf 'n%.0s' $(seq 200))"
touch -d @1000000000 src/deep/file
`;

const DESCRIBE = `find . ! -name . -printf '%P %y %m %n %s %l\\n' | grep -v '^empty d' | sort; stat -c %Y src/deep/file; cat src/hard`;

export const SNAPSHOT_TESTS: SandboxTest[] = [
  {
    id: 'snapshot.round-trip',
    guarantee: 'a snapshot restores files, modes, times, hard and symbolic links into another sandbox',
    run: async (bench) => {
      const from = await bench.open();
      const to = await bench.open();
      await sh(from, TREE);
      const snapshot = from.snapshot();
      const chunks = await buffered(snapshot.chunks);
      expect(await snapshot.report).toMatchObject({ omitted: [] });
      const restored = await to.restore(replay(chunks));
      expect(restored).toEqual(await snapshot.report);
      const before = (await output(from, DESCRIBE)).replace(' f 4755 ', ' f 755 ');
      expect(await output(to, DESCRIBE)).toBe(before);
    },
  },
  {
    id: 'snapshot.tar',
    guarantee: 'a snapshot is a tar file that other tools read',
    run: async (bench) => {
      const session = await bench.open();
      await sh(session, TREE);
      const bytes = Buffer.concat(await buffered(session.snapshot().chunks));
      const listing = await session.exec(['tar', 'tf', '-'], { stdin: bytes });
      expect(listing.exitCode).toBe(0);
      expect(listing.stdout.toString().split('\n')).toEqual(
        expect.arrayContaining(['workspace/src/deep/file', 'workspace/src/hard', 'workspace/empty']),
      );
    },
  },
  {
    id: 'snapshot.same-bytes',
    guarantee: 'the same workspace gives the same bytes',
    run: async (bench) => {
      const session = await bench.open();
      await sh(session, TREE);
      const first = Buffer.concat(await buffered(session.snapshot().chunks));
      expect(first.equals(Buffer.concat(await buffered(session.snapshot().chunks)))).toBe(true);
    },
  },
  {
    id: 'snapshot.omits',
    guarantee: 'a file that cannot be taken is named and costs nothing else: sparse giants, pipes, sockets',
    run: async (bench) => {
      const session = await bench.open();
      await sh(session, 'truncate -s 10T giant; mkfifo pipe; echo kept > zz');
      const snapshot = session.snapshot();
      const bytes = Buffer.concat(await buffered(snapshot.chunks));
      const listing = await session.exec(['tar', 'tf', '-'], { stdin: bytes });
      // The name of a special file stays evidence, as an entry without content.
      expect(listing.stdout.toString().split('\n')).toContain('workspace/pipe');
      const report = await snapshot.report;
      expect(report.omitted).toEqual([
        { path: '/workspace/giant', reason: 'too_large' },
        { path: '/workspace/pipe', reason: 'special_file' },
      ]);
      expect(report).toMatchObject({ entries: 2, bytes: 5 });
    },
  },
  {
    id: 'snapshot.counts-names',
    guarantee: 'headers, long names and padding count in full: they take no more than content may',
    run: async (bench) => {
      const session = await bench.open({ limits: { ...LIMITS, workspaceBytes: 64 * MIB } });
      const made = await python(session, LONG_NAMES);
      expect(made.stdout.toString()).toBe('20000\n');
      const snapshot = session.snapshot({ bytesMax: MIB });
      let archived = 0;
      for await (const chunk of snapshot.chunks) archived += chunk.length;
      const { entries, bytes, omittedCount } = await snapshot.report;
      // The least that names may take, whatever content may; then the last entry and the end.
      expect(archived - bytes).toBeLessThan(FRAME_BYTES_LEAST + 4_096);
      expect(archived - bytes).toBeGreaterThan(FRAME_BYTES_LEAST - 4_096);
      expect(entries + omittedCount).toBe(20_001);
    },
  },
  {
    id: 'snapshot.counts-holes',
    guarantee: 'a sparse file counts with its holes, since the archive holds them',
    run: async (bench) => {
      const session = await bench.open();
      await sh(session, 'for n in 1 2 3; do truncate -s 3M s$n; done');
      const snapshot = session.snapshot({ bytesMax: 8 * MIB });
      let archived = 0;
      for await (const chunk of snapshot.chunks) archived += chunk.length;
      expect(await snapshot.report).toMatchObject({
        bytes: 6 * MIB,
        omitted: [{ path: '/workspace/s3', reason: 'too_large' }],
      });
      expect(archived).toBeLessThan(7 * MIB);
    },
  },
  {
    id: 'snapshot.hostile-restore',
    guarantee: 'restoring a forged archive never leaves the workspace and makes no device or set-id file',
    run: async (bench) => {
      const session = await bench.open();
      const forge = `
import io, sys, tarfile
t = tarfile.open(fileobj=sys.stdout.buffer, mode='w|', format=tarfile.GNU_FORMAT)
def add(name, type=tarfile.REGTYPE, link='', data=b'x', mode=0o644):
    i = tarfile.TarInfo(name); i.type = type; i.linkname = link; i.mode = mode
    i.size = len(data) if type == tarfile.REGTYPE else 0
    t.addfile(i, io.BytesIO(data))
add('workspace/../tmp/a'); add('/tmp/b'); add('tmp/c'); add('workspacex/d')
add('workspace/out', tarfile.SYMTYPE, '/tmp'); add('workspace/out/e')
add('workspace/dev', tarfile.CHRTYPE); add('workspace/suid', mode=0o6755)
t.close()`;
      const forged = await session.exec(['python3', '-'], { stdin: forge });
      const restored = session.restore(replay([forged.stdout]));
      await restored.catch(() => {});
      expect(await output(session, 'ls /tmp; test -e /workspace/dev && echo device')).toBe('');
      const clean = await session.restore(
        replay([
          (await session.exec(['python3', '-'], { stdin: forge.replace("add('workspace/out/e')", '') }))
            .stdout,
        ]),
      );
      expect(clean.omitted.map((omission) => omission.reason)).toEqual([
        ...Array.from({ length: 4 }, () => 'outside_workspace'),
        'special_file',
      ]);
      expect(await session.stat('suid')).toMatchObject({ mode: 0o755 });
    },
  },
  {
    id: 'snapshot.damaged',
    guarantee:
      'an archive that is cut short, damaged or empty is reported as invalid_argument, not as a failed sandbox',
    run: async (bench) => {
      const session = await bench.open();
      await sh(session, 'echo whole > file');
      const whole = Buffer.concat(await buffered(session.snapshot().chunks));
      const damaged = Buffer.from(whole);
      damaged.writeUInt8(0xff, 0);
      for (const archive of [Buffer.alloc(0), whole.subarray(0, 100), whole.subarray(0, 512), damaged]) {
        const { message } = await expectError(session.restore(replay([archive])), 'invalid_argument');
        expect(message).toBe('the archive is cut short or damaged');
      }
      expect(await session.restore(replay([whole]))).toMatchObject({ omitted: [] });
    },
  },
  {
    id: 'snapshot.shared-disk',
    guarantee: 'all writable roots share one disk and one snapshot; staged roots are no part of it',
    run: async (bench) => {
      const changes = {
        filesystem: { writableRoots: ['/workspace', '/data/out'], stagedRoots: ['/grader'] },
      };
      const session = await bench.open(changes);
      await sh(session, 'echo 1 > /workspace/a; echo 2 > /data/out/b; echo 3 > /grader/c');
      const other = await bench.open(changes);
      await other.restore(session.snapshot().chunks);
      expect(await output(other, 'cat /workspace/a /data/out/b; ls /grader')).toBe('1\n2');
    },
  },
  {
    id: 'snapshot.abandoned',
    guarantee: 'a snapshot that is not read to its end holds nothing up',
    run: async (bench) => {
      const session = await bench.open();
      await sh(session, 'head -c 20M /dev/urandom > big');
      const snapshot = session.snapshot();
      for await (const _ of snapshot.chunks) break;
      await expect(snapshot.report).rejects.toThrow();
      expect(await output(session, 'echo alive')).toBe('alive');
    },
  },
];
