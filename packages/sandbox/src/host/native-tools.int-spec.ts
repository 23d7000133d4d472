import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { buildPrebuiltTools, findToolchain, PREBUILT_PLATFORMS } from '../testing/prebuilt/build.js';
import { findProgram } from './config.js';
import { findNativeTools } from './native-tools.js';
import {
  PREBUILT_DIRECTORY,
  PrebuiltManifest,
  readNativeSources,
  readPrebuiltTools,
} from './prebuilt-tools.js';

/** `e_machine` of the header, and its values. */
const ELF_MACHINE_AT = 18;
const ELF_MACHINES = { x64: 62, arm64: 183 };

const manifestIn = (directory: string) =>
  PrebuiltManifest.parse(JSON.parse(readFileSync(path.join(directory, 'manifest.json'), 'utf8')));

let folder: string;
let cacheDir: string;
/** A copy of the prebuilt programs that a test may damage. */
let directory: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'agentclash-native-'));
  cacheDir = path.join(folder, 'cache');
  directory = path.join(folder, 'prebuilt');
  cpSync(PREBUILT_DIRECTORY, directory, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const changeManifest = (change: (manifest: PrebuiltManifest) => PrebuiltManifest) =>
  writeFileSync(path.join(directory, 'manifest.json'), JSON.stringify(change(manifestIn(directory))));

test('the prebuilt programs were built from the sources of this package (else run `pnpm sandbox:prebuild`)', async () => {
  expect(manifestIn(PREBUILT_DIRECTORY).sources).toBe((await readNativeSources()).digest);
});

test('there are prebuilt programs for x64 and arm64, which take less than a megabyte of the repository', () => {
  expect(Object.keys(manifestIn(PREBUILT_DIRECTORY).programs)).toEqual(['linux-x64', 'linux-arm64']);
  const sizes = PREBUILT_PLATFORMS.flatMap((platform) =>
    ['inside', 'launcher'].map((name) => statSync(path.join(PREBUILT_DIRECTORY, platform, name)).size),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(1_000_000);
});

test.each([
  ['linux-x64', ELF_MACHINES.x64],
  ['linux-arm64', ELF_MACHINES.arm64],
])('the prebuilt programs of %s are those of the manifest, for its processor', async (platform, machine) => {
  const { digest } = await readNativeSources();
  const tools = await readPrebuiltTools(digest, { platform });
  if (!('contents' in tools)) throw new Error(tools.problem);
  for (const bytes of Object.values(tools.contents)) {
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('\x7fELF');
    expect(bytes.readUInt16LE(ELF_MACHINE_AT)).toBe(machine);
  }
});

const emulator = findProgram('qemu-aarch64-static');
(emulator === undefined ? test.skip : test)(
  'the program of arm64 lays out the files of a pod, by emulation (needs qemu-user-static)',
  () => {
    const target = path.join(folder, 'pod');
    mkdirSync(target);
    const program = path.join(PREBUILT_DIRECTORY, 'linux-arm64/inside');
    const words = [program, 'prepare', target, 'x64=0102,arm64=0a0b', '1000'];
    execFileSync(emulator ?? '', words);
    expect(readFileSync(path.join(target, 'filter')).toString('hex')).toBe('0a0b');
    expect(readFileSync(path.join(target, 'passwd'), 'utf8')).toContain('agent:x:1000:1000:');
    expect(readFileSync(path.join(target, 'inside')).equals(readFileSync(program))).toBe(true);
  },
);

for (const platform of PREBUILT_PLATFORMS) {
  const toolchain = await findToolchain(platform);
  const known = manifestIn(PREBUILT_DIRECTORY).programs[platform];
  const isSame = JSON.stringify(toolchain) === JSON.stringify(known?.toolchain);
  /** Another gcc, linker or musl builds other bytes. */
  (isSame ? test : test.skip)(
    `the same toolchain rebuilds the prebuilt programs of ${platform} byte by byte (needs the toolchain of the manifest)`,
    async () => {
      expect(await buildPrebuiltTools(path.join(folder, 'rebuilt'), platform)).toEqual(known);
    },
  );
}

const isX64 = process.platform === 'linux' && process.arch === 'x64';
(isX64 ? describe : describe.skip)('on x64 (needs Linux)', () => {
  test('the prebuilt programs are used without a compiler', async () => {
    const tools = await findNativeTools(cacheDir, { compiler: null });
    expect(tools.origin).toBe('prebuilt');
    expect(statSync(tools.inside).mode & 0o777).toBe(0o711);
    expect(await findNativeTools(cacheDir, { compiler: null })).toEqual(tools);
  });

  test('a copy in the cache that was changed is replaced by the program of the manifest', async () => {
    const { inside } = await findNativeTools(cacheDir, { compiler: null });
    const intact = readFileSync(inside);
    writeFileSync(inside, 'changed');
    await findNativeTools(cacheDir, { compiler: null });
    expect(readFileSync(inside).equals(intact)).toBe(true);
  });

  test('a copy in the cache that others may write is refused', async () => {
    const { launcher } = await findNativeTools(cacheDir, { compiler: null });
    chmodSync(launcher, 0o777);
    await expect(findNativeTools(cacheDir, { compiler: null })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });

  test('a prebuilt program that does not match its digest is not run: it is compiled', async () => {
    writeFileSync(path.join(directory, 'linux-x64/inside'), 'changed');
    expect(await findNativeTools(cacheDir, { directory })).toMatchObject({ origin: 'compiled' });
    await expect(findNativeTools(cacheDir, { directory, compiler: null })).rejects.toMatchObject({
      message: 'the prebuilt sandbox tool inside does not match its digest, and there is no C compiler',
      fix: expect.stringContaining('apt-get install -y gcc'),
    });
  });

  test('changed sources are compiled', async () => {
    changeManifest((manifest) => ({ ...manifest, sources: 'other' }));
    expect(await findNativeTools(cacheDir, { directory })).toMatchObject({ origin: 'compiled' });
  });

  test('a machine without prebuilt programs compiles, or names the packages to install', async () => {
    changeManifest((manifest) => ({ ...manifest, programs: {} }));
    expect(await findNativeTools(cacheDir, { directory })).toMatchObject({ origin: 'compiled' });
    await expect(findNativeTools(cacheDir, { directory, compiler: null })).rejects.toMatchObject({
      message: 'there are no prebuilt sandbox tools for linux-x64, and there is no C compiler',
      fix: expect.stringContaining('apt-get install -y gcc'),
    });
  });

  test('a package without prebuilt programs compiles', async () => {
    const empty = path.join(folder, 'empty');
    mkdirSync(empty);
    expect(await findNativeTools(cacheDir, { directory: empty })).toMatchObject({ origin: 'compiled' });
  });
});
