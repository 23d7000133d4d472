import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { extract, type Header } from 'tar-stream';
import { ImageError } from '../image-error.js';
import { type LayerEntry, tarOf } from '../testing/fixture.js';
import { overlayTar } from './overlay-tar.js';

const LIMITS = { bytesMax: 1_000, entriesMax: 100 };

async function converted(entries: readonly LayerEntry[], limits = LIMITS) {
  return await convertedTar(await tarOf(entries), limits);
}

async function convertedTar(tar: Buffer, limits = LIMITS): Promise<(Header & { content: string })[]> {
  const written: Buffer[] = [];
  const write = async (chunks: AsyncIterable<Uint8Array>) => {
    for await (const chunk of chunks) written.push(Buffer.from(chunk));
  };
  const source = async function* () {
    yield tar;
  };
  await overlayTar(source(), write, limits, 'the layer');
  const reader = extract();
  reader.end(Buffer.concat(written));
  const all: (Header & { content: string })[] = [];
  for await (const entry of reader) {
    const content: Buffer[] = [];
    for await (const chunk of entry) content.push(chunk as Buffer);
    all.push({ ...entry.header, content: Buffer.concat(content).toString() });
  }
  return all;
}

const names = async (entries: readonly LayerEntry[]) =>
  (await converted(entries)).map(({ name, type, pax }) => ({
    name: name.replace(/\/$/, ''),
    type,
    ...(JSON.stringify(pax ?? {}).includes('user.overlay.opaque') && { opaque: true }),
  }));

test('files, directories and links keep content, owner and mode', async () => {
  const entries: LayerEntry[] = [
    { name: 'etc/', type: 'directory', mode: 0o750, uid: 1, gid: 2 },
    { name: './etc/a', content: 'one', mode: 0o640, uid: 3, gid: 4 },
    { name: 'etc/b', type: 'link', linkname: 'etc/a' },
    { name: 'etc/c', type: 'symlink', linkname: '/anywhere' },
  ];
  expect(await converted(entries)).toMatchObject([
    { name: 'etc', type: 'directory', mode: 0o750, uid: 1, gid: 2 },
    { name: 'etc/a', type: 'file', mode: 0o640, uid: 3, gid: 4, content: 'one' },
    { name: 'etc/b', type: 'link', linkname: 'etc/a' },
    { name: 'etc/c', type: 'symlink', linkname: '/anywhere' },
  ]);
});

test('set-id bits, extended attributes and devices are left out', async () => {
  const entries: LayerEntry[] = [
    {
      name: 'su',
      content: 'x',
      mode: 0o6755,
      pax: { 'SCHILY.xattr.security.capability': 'x', 'SCHILY.xattr.user.overlay.opaque': 'y' },
    },
    { name: 'null', type: 'character-device', devmajor: 0, devminor: 0 },
    { name: 'disk', type: 'block-device', devmajor: 8, devminor: 0 },
    { name: 'tmp', type: 'directory', mode: 0o1777 },
  ];
  const all = await converted(entries);
  expect(all.map(({ name, mode }) => [name, mode])).toEqual([
    ['su', 0o755],
    ['tmp', 0o1777],
  ]);
  expect(all[0]?.pax).toBeNull();
});

test('a removal becomes a device 0/0, and an opaque directory an attribute', async () => {
  expect(
    await names([
      { name: 'a/.wh.gone', content: '' },
      { name: 'b/', type: 'directory' },
      { name: 'b/.wh..wh..opq', content: '' },
      { name: 'b/.wh..wh.plnk', content: '' },
    ]),
  ).toEqual([
    { name: 'b', type: 'directory' },
    { name: 'a/gone', type: 'character-device' },
    { name: 'b', type: 'directory', opaque: true },
  ]);
});

test('a name that is removed and added in one layer is added, whatever the order', async () => {
  const file: LayerEntry = { name: 'x', content: 'new' };
  const removal: LayerEntry = { name: '.wh.x', content: '' };
  for (const entries of [
    [file, removal],
    [removal, file],
  ]) {
    expect(await names(entries)).toEqual([{ name: 'x', type: 'file' }]);
  }
  expect(
    await names([
      { name: '.wh.d', content: '' },
      { name: 'd/', type: 'directory' },
    ]),
  ).toEqual([
    { name: 'd', type: 'directory' },
    { name: 'd', type: 'directory', opaque: true },
  ]);
});

test.each<[string, LayerEntry[], string]>([
  ['leads out of the image', [{ name: '../up', content: 'x' }], '../up'],
  ['leads out of the image', [{ name: 'a/../../up', content: 'x' }], 'a/../../up'],
  ['has an absolute name', [{ name: '/etc/passwd', content: 'x' }], '/etc/passwd'],
  [
    'lies below "out", which is a link',
    [
      { name: 'out', type: 'symlink', linkname: '/etc' },
      { name: 'out/passwd', content: 'x' },
    ],
    'out/passwd',
  ],
  [
    'lies below "out", which is a link',
    [
      { name: 'out', type: 'symlink', linkname: '/etc' },
      { name: 'out/.wh.passwd', content: '' },
    ],
    'out/.wh.passwd',
  ],
  [
    'leads out of the image',
    [{ name: 'hard', type: 'link', linkname: '../../etc/shadow' }],
    '../../etc/shadow',
  ],
  ['which is no file of the layer', [{ name: 'hard', type: 'link', linkname: 'etc/shadow' }], 'hard'],
  ['is above 65535', [{ name: 'owned', content: 'x', uid: 65_536 }], 'owned'],
  ['holds more than 1000 bytes', [{ name: 'large', content: 'x'.repeat(1_001) }], 'the layer'],
  ['removes no name', [{ name: '.wh...', content: '' }], '.wh...'],
])('an entry that %s is refused by name', async (reason, entries, named) => {
  const error = await converted(entries).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ImageError);
  expect((error as ImageError).message).toContain(reason);
  expect((error as ImageError).message).toContain(named);
});

test('a layer of too many entries is refused', async () => {
  const entries = Array.from({ length: 101 }, (_, index) => ({ name: `f${index}` }));
  await expect(converted(entries)).rejects.toThrow('the layer has more than 100 entries');
});

test('a layer that is cut short or no tar file is refused', async () => {
  const tar = await tarOf([{ name: 'a', content: 'x'.repeat(900) }]);
  await expect(convertedTar(tar.subarray(0, 700))).rejects.toMatchObject({ code: 'invalid_image' });
  await expect(convertedTar(Buffer.alloc(2_048, 7))).rejects.toMatchObject({ code: 'invalid_image' });
});

const anyEntry = fc.record({
  name: fc.stringMatching(/^[ab./w h]{1,12}$/),
  type: fc.constantFrom<Header['type']>('file', 'directory', 'symlink', 'link', 'fifo', 'character-device'),
  linkname: fc.stringMatching(/^[ab./]{1,8}$/),
});

test('no entry that is written is outside, below a link of the layer, or set-id', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEntry, { maxLength: 8 }), async (entries) => {
      const all = await converted(entries).catch((error: unknown) => {
        expect(error).toBeInstanceOf(ImageError);
        return [];
      });
      const links = new Set(all.filter(({ type }) => type === 'symlink').map(({ name }) => name));
      for (const { name } of all) {
        const parts = name.split('/').filter(Boolean);
        expect(name.startsWith('/')).toBe(false);
        expect(parts).not.toContain('..');
        const parents = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
        expect(parents.filter((parent) => links.has(parent))).toEqual([]);
      }
    }),
  );
});
