import { Readable } from 'node:stream';
import { expect } from '@jest/globals';
import { counting, LIMITS, output, python, type SandboxTest, sh } from './bench.js';

const MIB = 1024 * 1024;

/** Small things that want to become large. */
export const BOMB_ABUSE: SandboxTest[] = [
  {
    id: 'abuse.bomb.zip',
    guarantee: 'an archive that unpacks to a thousand times its size fills the disk of its sandbox at most',
    run: async (bench) => {
      const session = await bench.open();
      const result = await python(
        session,
        `
import io, zlib
packer = zlib.compressobj(9, zlib.DEFLATED, 31)
bomb = b''.join(packer.compress(bytes(1 << 20)) for i in range(128)) + packer.flush()
open('bomb.gz', 'wb').write(bomb)
print(len(bomb) < 1 << 18)`,
      );
      expect(result.stdout.toString()).toBe('True\n');
      expect((await sh(session, 'gzip -d -k bomb.gz')).exitCode).not.toBe(0);
      expect(await output(session, 'echo alive')).toBe('alive');
      await sh(session, 'rm -f bomb');
      expect(await session.writeFile('after', 'x')).toMatchObject({ bytes: 1 });
    },
  },
  {
    id: 'abuse.bomb.compile',
    guarantee: 'a line of source that compiles to gigabytes, or for ever, ends at its limits',
    run: async (bench) => {
      const session = await bench.open();
      if ((await sh(session, 'command -v cc')).exitCode !== 0) return;
      await session.writeFile('huge.c', 'int main[1u << 30] = {1};');
      const nested = Array.from({ length: 24 }, (_, i) => `#define m${i + 1} m${i} m${i}`).join('\n');
      await session.writeFile('endless.c', `#define m0 0;\n${nested}\nint main(void) { m24 }`);
      for (const source of ['huge.c', 'endless.c']) {
        const result = await session.exec(['cc', '-o', 'out', source], {
          timeoutMs: bench.isQuick ? 1_500 : 4_000,
        });
        expect([source, result.exitCode]).not.toEqual([source, 0]);
      }
      await sh(session, 'rm -rf out /tmp/*');
      expect(await output(session, `echo alive; ${counting('cc1')}`)).toBe('alive\n0');
    },
  },
  {
    id: 'abuse.bomb.source',
    guarantee: 'Python source that explodes when it is compiled ends at its limits',
    run: async (bench) => {
      const session = await bench.open({ limits: { ...LIMITS, memoryBytes: 64 * MIB } });
      const result = await python(session, "x = ((1 << 34) * 'a',) * (1 << 34)\ny = 9 ** 9 ** 9", {
        timeoutMs: 2_000,
      });
      expect(result.exitCode).not.toBe(0);
      expect(await output(session, 'echo alive')).toBe('alive');
    },
  },
  {
    id: 'abuse.bomb.snapshot',
    guarantee: 'neither deep trees, nor links, nor long names make a snapshot endless, or slow to unpack',
    run: async (bench) => {
      // Enough for the files, and not for their long names.
      const limits = { ...LIMITS, workspaceBytes: 128 * MIB };
      const session = await bench.open({ limits });
      const files = bench.isQuick ? 5_000 : 70_000;
      const program = `
import os
def descend(name, depth):
    for _ in range(depth):
        os.mkdir(name); open('a', 'w').close(); open('z', 'w').close(); os.chdir(name)
os.mkdir('links'); os.mkdir('names')
for i in range(5000):
    open(f'links/a{i}', 'w').close(); os.link(f'links/a{i}', f'links/b{i}')
os.chdir('names'); descend('d' * 250, 15)
for i in range(${files}): os.close(os.open(f'{i}', os.O_CREAT))
os.chdir('/workspace'); descend('d', 3000)`;
      expect(await python(session, program, { timeoutMs: 60_000 })).toMatchObject({ exitCode: 0 });
      const packingSince = performance.now();
      const snapshot = session.snapshot();
      const chunks: Uint8Array[] = [];
      for await (const chunk of snapshot.chunks) chunks.push(chunk);
      const packedMs = performance.now() - packingSince;
      expect(chunks.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(512 * MIB);
      const { omitted } = await snapshot.report;
      expect(new Set(omitted.map(({ reason }) => reason))).toEqual(
        new Set(bench.isQuick ? ['too_deep'] : ['too_deep', 'too_many']),
      );
      const other = await bench.open({ limits });
      const unpackingSince = performance.now();
      await other.restore(Readable.from(chunks));
      // Packing is linear, takes half as long, and a busy machine slows both alike.
      expect(performance.now() - unpackingSince).toBeLessThan(10 * packedMs);
    },
  },
];
