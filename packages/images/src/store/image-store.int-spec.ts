import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEgress, DEFAULT_EGRESS_SETTINGS } from '@agentclash/egress';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { LayoutSource } from '../sources/layout.js';
import { RegistrySource } from '../sources/registry.js';
import {
  type LayerEntry,
  type LayoutOptions,
  serveLayout,
  type TestRegistry,
  tarOf,
  writeLayout,
} from '../testing/fixture.js';
import { ImageStore } from './image-store.js';

const isRoot = process.getuid?.() === 0;
/** Owners of files are kept, which only root can do. */
const describeAsRoot = isRoot ? describe : describe.skip;

const LAYERS: readonly (readonly LayerEntry[])[] = [
  [
    { name: 'bin/', type: 'directory', mode: 0o755 },
    { name: 'bin/tool', content: 'old', mode: 0o4755 },
    { name: 'etc/', type: 'directory', mode: 0o755 },
    { name: 'etc/kept', content: 'kept', uid: 33, gid: 44, mode: 0o640 },
    { name: 'etc/gone', content: 'gone' },
    { name: 'data/', type: 'directory' },
    { name: 'data/below', content: 'below' },
  ],
  [
    { name: 'bin/tool', content: 'new', mode: 0o755 },
    { name: 'etc/.wh.gone', content: '' },
    { name: 'data/', type: 'directory' },
    { name: 'data/.wh..wh..opq', content: '' },
  ],
];

describeAsRoot('a store of images', () => {
  let directory: string;
  let stores: ImageStore[] = [];
  const layout = (name = 'layout') => path.join(directory, name);

  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'agentclash-images-'));
  });

  afterEach(() => {
    for (const store of stores) store.close();
    stores = [];
    rmSync(directory, { recursive: true });
  });

  async function open(options: Partial<Parameters<typeof ImageStore.open>[0]> = {}): Promise<ImageStore> {
    const sources = [new LayoutSource(layout())];
    const store = await ImageStore.open({ directory: path.join(directory, 'store'), sources, ...options });
    stores.push(store);
    return store;
  }

  const write = (options: Partial<LayoutOptions> = {}, name?: string) =>
    writeLayout(layout(name), { name: 'registry.invalid/app:v1', layers: LAYERS, ...options });

  /** Nothing unfinished, and no layer. */
  function expectNothingKept(): void {
    for (const name of ['work', 'layers', 'images'])
      expect(readdirSync(path.join(directory, 'store', name))).toEqual([]);
  }

  test('an image is unpacked with owners, removals and its configuration, and layers lie lowest first', async () => {
    const digest = await write({ env: ['PATH=/bin', 'A=b=c', 'broken'], workingDirectory: '/data' });
    const store = await open();
    const seen: number[] = [];
    const image = await store.prepare(`registry.invalid/app@${digest}`, {
      onProgress: ({ doneBytes, totalBytes }) => seen.push(doneBytes / totalBytes),
    });
    expect(image).toMatchObject({ digest, env: { PATH: '/bin', A: 'b=c' }, workingDirectory: '/data' });
    expect(seen.at(-1)).toBe(1);
    const [low = '', high = ''] = image.layers;
    expect(image.layers).toHaveLength(2);
    const { mode, uid, gid } = lstatSync(path.join(low, 'etc/kept'));
    expect({ mode: mode & 0o7777, uid, gid }).toEqual({ mode: 0o640, uid: 33, gid: 44 });
    expect(lstatSync(path.join(low, 'bin/tool')).mode & 0o7777).toBe(0o755);
    expect(readFileSync(path.join(high, 'bin/tool'), 'utf8')).toBe('new');
    expect(lstatSync(path.join(high, 'etc/gone')).isCharacterDevice()).toBe(true);
    const attributes = execFileSync('python3', [
      '-c',
      `import os; print(os.getxattr(${JSON.stringify(path.join(high, 'data'))}, "user.overlay.opaque"))`,
    ]);
    expect(attributes.toString()).toBe("b'y'\n");
  });

  test('only the store is closed to other users, and not the new folders above it', async () => {
    await open({ directory: path.join(directory, 'cache', 'sandbox', 'images') });

    const modeOf = (name: string) => statSync(path.join(directory, name)).mode & 0o777;
    expect(['cache', 'cache/sandbox', 'cache/sandbox/images'].map(modeOf)).toEqual([0o755, 0o755, 0o700]);
  });

  test('concurrent preparations of two processes share layers and leave nothing unfinished', async () => {
    const digest = await write();
    const [one, two] = [await open(), await open()];
    const reference = `registry.invalid/app@${digest}`;
    const images = await Promise.all([one, one, two, two].map((store) => store.prepare(reference)));
    expect(new Set(images.map(({ layers }) => layers.join())).size).toBe(1);
    expect(readdirSync(path.join(directory, 'store/work'))).toEqual([]);
    expect(await one.list()).toMatchObject([{ digest, bytes: expect.any(Number) }]);
  });

  test('an image that is there needs no source any more', async () => {
    const reference = `registry.invalid/app@${await write()}`;
    (await (await open()).prepare(reference)).release();
    rmSync(layout(), { recursive: true });
    expect((await (await open({ sources: [] })).prepare(reference)).layers).toHaveLength(2);
  });

  test.each<[string, Partial<LayoutOptions> & { name?: string }, string]>([
    ['another architecture', { architecture: 's390x' }, 'is for linux/s390x'],
    [
      'fewer layers in its configuration',
      { spoil: ({ config }) => Object.assign(config, { rootfs: { type: 'layers', diff_ids: [] } }) },
      'its configuration names 0 layers',
    ],
    [
      '129 layers',
      { layers: Array.from({ length: 129 }, () => [{ name: 'a', content: '' }]) },
      'has 129 layers',
    ],
    ['a layer that leads out', { layers: [[{ name: '../up', content: 'x' }]] }, 'layer 1 of 1'],
    ['a layer of no tar file', { layers: [Buffer.alloc(4_096, 1)] }, 'is no whole tar file'],
    [
      'a damaged compression',
      { compress: () => Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) },
      'cannot be decompressed',
    ],
    ['a compression of other content', { compress: () => tarBytes }, 'has the digest'],
  ])('an image with %s is refused and leaves nothing', async (_, options, message) => {
    const reference = `registry.invalid/app@${await write(options)}`;
    const store = await open();
    await expect(store.prepare(reference)).rejects.toMatchObject({
      code: 'invalid_image',
      message: expect.stringContaining(message),
    });
    expectNothingKept();
  });

  test('a layer above the limit is refused before it is written, however small it is packed', async () => {
    const zeros: LayerEntry[] = [{ name: 'zeros', content: Buffer.alloc(20 * 1024 * 1024) }];
    const reference = `registry.invalid/app@${await write({ layers: [zeros] })}`;
    const store = await open({ imageBytesMax: 1024 * 1024 });
    await expect(store.prepare(reference)).rejects.toMatchObject({
      message: expect.stringContaining('holds more than 1048576 bytes'),
    });
    expectNothingKept();
  });

  test('a full disk is unavailable with what to do, and nothing is kept on it', async () => {
    const disk = path.join(directory, 'store');
    mkdirSync(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=700', 'agentclash-images', disk]);
    try {
      const large: LayerEntry[] = [{ name: 'large', content: Buffer.alloc(32 * 1024 * 1024) }];
      const reference = `registry.invalid/app@${await write({ layers: [large] })}`;
      await expect((await open()).prepare(reference)).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringContaining('there is no space left for layer 1 of 1'),
        fix: expect.stringContaining('free space'),
      });
      expectNothingKept();
    } finally {
      execFileSync('umount', [disk]);
    }
  });

  test('a missing or changed blob is refused by its digest', async () => {
    const reference = `registry.invalid/app@${await write({ layers: LAYERS.slice(0, 1), compress: (tar) => tar })}`;
    const blobs = path.join(layout(), 'blobs/sha256');
    const layer =
      readdirSync(blobs).find((name) => readFileSync(path.join(blobs, name)).includes('ustar')) ?? '';
    const whole = readFileSync(path.join(blobs, layer));
    const changed = Buffer.from(whole);
    changed.writeUInt8(changed.readUInt8(600) ^ 1, 600);
    for (const content of [changed, whole.subarray(0, 1_024), Buffer.concat([whole, whole])]) {
      writeFileSync(path.join(blobs, layer), content);
      await expect((await open()).prepare(reference)).rejects.toMatchObject({ code: 'invalid_image' });
    }
    rmSync(path.join(blobs, layer));
    await expect((await open()).prepare(reference)).rejects.toMatchObject({
      message: expect.stringContaining(`lacks the blob sha256:${layer}`),
    });
    expectNothingKept();
  });

  test('an unknown image is refused with where it was looked for and what to do', async () => {
    await write();
    const reference = `registry.invalid/other@sha256:${'0'.repeat(64)}`;
    await expect((await open()).prepare(reference)).rejects.toMatchObject({
      message: expect.stringContaining('looked in the layout'),
      fix: expect.stringContaining('agentclash image load'),
    });
  });

  test('an archive of docker save and one of OCI are loaded under the names that they have', async () => {
    const tar = await tarOf(LAYERS[0] ?? []);
    const { sha256 } = await import('../testing/fixture.js');
    const config = JSON.stringify({
      architecture: process.arch === 'x64' ? 'amd64' : process.arch,
      os: 'linux',
      rootfs: { type: 'layers', diff_ids: [sha256(tar)] },
    });
    const saved = await tarOf([
      { name: 'abc/layer.tar', content: tar },
      { name: 'config.json', content: config },
      {
        name: 'manifest.json',
        content: JSON.stringify([
          { Config: 'config.json', RepoTags: ['saved/app:v2'], Layers: ['abc/layer.tar'] },
        ]),
      },
    ]);
    writeFileSync(path.join(directory, 'saved.tar'), saved);
    const store = await open({ sources: [] });
    const [reference = ''] = await store.load(path.join(directory, 'saved.tar'));
    expect(reference).toMatch(/^docker\.io\/saved\/app@sha256:/);
    expect((await store.prepare(reference)).layers).toHaveLength(1);
    expect((await store.prepare('saved/app:v2')).layers).toHaveLength(1);

    await write();
    execFileSync('tar', [
      '--create',
      '--gzip',
      `--file=${directory}/oci.tar.gz`,
      '--directory',
      layout(),
      '.',
    ]);
    const [second = ''] = await store.load(path.join(directory, 'oci.tar.gz'));
    expect((await store.prepare(second)).layers).toHaveLength(2);
    expect(readdirSync(path.join(directory, 'store/work'))).toEqual([]);
  });

  test('an image that has a tag alone in a layout is called after its directory or archive', async () => {
    const digest = await write({}, 'tools');
    const index = path.join(layout('tools'), 'index.json');
    writeFileSync(
      index,
      readFileSync(index, 'utf8').replace(
        '"io.containerd.image.name":"registry.invalid/app:v1"',
        '"org.opencontainers.image.ref.name":"v1"',
      ),
    );
    const reference = `docker.io/loaded/tools@${digest}`;
    const store = await open({ sources: [new LayoutSource(layout('tools'))] });
    expect(await store.pinned('loaded/tools:v1')).toBe(reference);
    expect(await store.load(layout('tools'))).toEqual([reference]);
    expect(await store.find('loaded/tools:v1')).toBe(reference);
    const archive = path.join(directory, 'packed.tar');
    execFileSync('tar', ['--create', `--file=${archive}`, '--directory', layout('tools'), '.']);
    expect(await store.load(archive)).toEqual([`docker.io/loaded/packed@${digest}`]);
  });

  test.each([
    ['a file that is no archive', Buffer.from('no archive at all'.repeat(100))],
    ['an empty file', Buffer.alloc(0)],
  ])('%s cannot be loaded and leaves nothing', async (_, content) => {
    writeFileSync(path.join(directory, 'file'), content);
    const store = await open({ sources: [] });
    await expect(store.load(path.join(directory, 'file'))).rejects.toMatchObject({ code: 'invalid_image' });
    await expect(store.load(path.join(directory, 'absent'))).rejects.toMatchObject({ code: 'invalid_image' });
    expectNothingKept();
  });

  test('the files of a system alone are refused with the way to make an image of them', async () => {
    const root = path.join(directory, 'system');
    mkdirSync(path.join(root, 'usr/bin'), { recursive: true });
    symlinkSync('usr/bin', path.join(root, 'bin'));
    execFileSync('tar', ['--create', `--file=${directory}/system.tar`, '--directory', root, '.']);
    const store = await open({ sources: [] });
    await expect(store.load(path.join(directory, 'system.tar'))).rejects.toMatchObject({
      code: 'invalid_image',
      fix: expect.stringContaining('docker import'),
    });
    expectNothingKept();
  });

  test('an archive with an entry outside writes nothing there', async () => {
    const archive = await tarOf([
      { name: '../../outside', content: 'x' },
      { name: 'index.json', content: '{}' },
    ]);
    writeFileSync(path.join(directory, 'file'), archive);
    const store = await open({ sources: [] });
    await expect(store.load(path.join(directory, 'file'))).rejects.toMatchObject({ code: 'invalid_image' });
    expect(existsSync(path.join(directory, 'store/outside'))).toBe(false);
    expectNothingKept();
  });

  test('an exported image has the same content, removals and configuration in another store', async () => {
    const reference = `registry.invalid/app@${await write({ env: ['A=b'], workingDirectory: '/data' })}`;
    const [one, two] = [await open(), await open({ sources: [], directory: path.join(directory, 'other') })];
    const exported = path.join(directory, 'exported');
    await one.export(reference, { directory: exported, name: 'registry.invalid/app:v2' });
    const [loaded = ''] = await two.load(exported);
    expect(await two.find('registry.invalid/app:v2')).toBe(loaded);
    expect(await two.find('registry.invalid/app:v3')).toBeUndefined();
    const [image, copy] = [await one.prepare(reference), await two.prepare(loaded)];
    expect(copy).toMatchObject({ env: { A: 'b' }, workingDirectory: '/data' });
    const contentsOf = (layer: string) =>
      execFileSync(
        'sh',
        [
          ...[
            '-c',
            'find . -printf "%P %y %m %U %G %l\\n" | sort; cat bin/tool; python3 -c "import os; print(os.listxattr(\\"data\\"))"',
            'sh',
          ],
        ],
        { cwd: layer, encoding: 'utf8' },
      );
    const contents = image.layers.map(contentsOf);
    expect(contents[1]).toContain('user.overlay.opaque');
    expect(copy.layers.map(contentsOf)).toEqual(contents);
  });

  test('a removed image is gone from the listing', async () => {
    const reference = `registry.invalid/app@${await write()}`;
    const store = await open();
    await store.prepare(reference);
    expect(await store.remove(reference)).toBe(true);
    expect(await store.remove(reference)).toBe(false);
    expect(await store.list()).toEqual([]);
  });

  describe('with a registry', () => {
    const registries: TestRegistry[] = [];
    afterAll(() => {
      for (const each of registries) each.close();
    });

    /** Serves the layout to those who have a token. */
    async function registry(): Promise<TestRegistry> {
      const opened = await serveLayout(layout(), { username: 'user', password: 'pass' });
      registries.push(opened);
      return opened;
    }

    const egress = createEgress({
      settings: { ...DEFAULT_EGRESS_SETTINGS, operatorUnlock: ['127.0.0.0/8'] },
    });

    test('an image is pulled with a token, by digest, and a tag is resolved to it', async () => {
      const digest = await write();
      const { host, requests } = await registry();
      const credentials = { [host]: { username: 'user', password: 'pass' } };
      const store = await open({ sources: [new RegistrySource({ egress, credentials })] });
      expect(await store.pinned(`${host}/team/app:v1`)).toBe(`${host}/team/app@${digest}`);
      await expect(store.pinned(`${host}/team/app:v2`)).rejects.toMatchObject({ code: 'invalid_image' });
      expect((await store.prepare(`${host}/team/app@${digest}`)).layers).toHaveLength(2);
      expect(requests.filter((request) => request.includes('/token'))).toHaveLength(1);
    });

    test('a registry that wants a login names it, and one that cannot be reached is unavailable', async () => {
      const digest = await write();
      const { host } = await registry();
      const store = await open({ sources: [new RegistrySource({ egress })] });
      await expect(store.prepare(`${host}/team/app@${digest}`)).rejects.toMatchObject({
        code: 'invalid_image',
        fix: expect.stringContaining(`a credential for ${host}`),
      });
      await expect(store.prepare(`127.0.0.1:9/team/app@${digest}`)).rejects.toMatchObject({
        code: 'unavailable',
      });
      const guarded = await open({ sources: [new RegistrySource({ egress: createEgress() })] });
      await expect(guarded.prepare(`${host}/team/app@${digest}`)).rejects.toMatchObject({
        code: 'unavailable',
        fix: expect.stringContaining('OPERATOR_UNLOCK'),
      });
    });
  });
});

const tarBytes = await tarOf([{ name: 'other', content: 'x' }]);
