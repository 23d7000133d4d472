import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Bench, expectError, output, sh } from '../conformance/bench.js';
import { TestProvider } from '../testing/test-provider.js';
import { findImageMaker } from './disk-image.js';

const MIB = 1024 * 1024;
const machine = new TestProvider();
const image = mkdtempSync(path.join(tmpdir(), 'agentclash-image-'));
let bench: Bench;

beforeAll(async () => {
  execFileSync('chmod', ['755', image]);
  mkdirSync(path.join(image, 'bin'));
  const program = '#include <unistd.h>\nint main(void) { return write(1, "from the image", 14) != 14; }\n';
  execFileSync('cc', ['-static', '-x', 'c', '-', '-o', path.join(image, 'bin/hello')], { input: program });
  bench = new Bench(await machine.open({ memoryDiskBytesMax: 16 * MIB, templates: { tiny: image } }), true);
}, 60_000);
afterAll(async () => {
  await bench.close();
  await bench.provider.close();
  await machine.expectNothingLeft();
  rmSync(image, { recursive: true });
});

/** The files behind the loop devices of this machine that are of this provider; other tests have devices, too. */
function ownLoops(): string[] {
  const devices = readdirSync('/sys/block').filter((name) => name.startsWith('loop'));
  const files = devices.map((name) => path.join('/sys/block', name, 'loop/backing_file'));
  const backing = files.flatMap((file) => (existsSync(file) ? [readFileSync(file, 'utf8').trim()] : []));
  return backing.filter((file) => file.startsWith(machine.stateDir));
}

const canMakeImages = findImageMaker(process.getuid?.() === 0) !== undefined;

(canMakeImages ? test : test.skip)(
  'a large workspace is a disk image of its size, which takes no memory and leaves nothing (needs root, loop devices and mkfs.ext4)',
  async () => {
    const session = await bench.open({
      limits: { cpu: 1, memoryBytes: 64 * MIB, pids: 64, workspaceBytes: 300 * MIB },
      filesystem: { writableRoots: ['/workspace', '/out'] },
    });
    expect(await output(session, 'stat -f -c %T /workspace; touch a /out/b && ls / | grep -c lost')).toBe(
      'ext2/ext3\n0',
    );
    const written = await sh(
      session,
      'head -c 250M /dev/zero > big && echo ok; head -c 400M /dev/zero > /out/more',
    );
    expect(written.stdout.toString()).toBe('ok\n');
    expect(written.stderr.toString()).toMatch(/No space left/);
    await expectError(session.writeFile('more', Buffer.alloc(60 * MIB)), 'no_space');
    expect(ownLoops()).toHaveLength(1);
    await session.destroy();
    expect(ownLoops()).toEqual([]);
  },
  60_000,
);

test('a registered image is the root of its sandboxes, and the host is not in it', async () => {
  const session = await bench.open({ template: 'tiny' });
  expect((await session.exec(['hello'])).stdout.toString()).toBe('from the image');
  expect((await session.exec(['sh', '-c', 'true'])).exitCode).toBe(127);
  await session.writeFile('x', 'y');
  expect((await session.list('.')).entries).toEqual([{ path: 'x', kind: 'file', bytes: 1 }]);
  expect(existsSync(path.join(image, 'workspace'))).toBe(false);
});
