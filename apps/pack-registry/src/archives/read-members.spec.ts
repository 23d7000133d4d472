import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { paxRecord, tarOf, zipOf } from '../testing/archives.js';
import { type MembersTask, readMembers } from './read-members.js';

type Format = MembersTask['format'];

function read(format: Format, archive: Buffer, ...paths: string[]) {
  return readMembers({ format, archive, paths }).map((reading) =>
    'bytes' in reading ? Buffer.from(reading.bytes).toString() : reading.problem,
  );
}

const FILES = [
  { name: 'a/b.csv', content: 'x,1\n' },
  { name: './c.txt', content: 'see' },
  { name: 'a/', content: '' },
];
const ARCHIVES: [Format, (entries: typeof FILES) => Buffer][] = [
  ['zip', zipOf],
  ['tar', tarOf],
  ['tar.gz', (entries) => gzipSync(tarOf(entries))],
];

describe.each(ARCHIVES)('a member of a %s archive', (format, archiveOf) => {
  test('a member is found by any equivalent path', () => {
    expect(read(format, archiveOf(FILES), 'a/b.csv', './a//b.csv', 'c.txt')).toEqual([
      'x,1\n',
      'x,1\n',
      'see',
    ]);
  });

  test('a missing member has a suggestion', () => {
    expect(read(format, archiveOf(FILES), 'a/b.cvs')).toEqual([
      { code: 'artifact_not_found', message: 'the archive has no a/b.cvs', suggestion: 'a/b.csv' },
    ]);
  });

  test('a member with a path outside of the archive, or that exists twice, is a problem', () => {
    const outside = archiveOf([{ name: '../../etc/passwd', content: 'root' }, ...FILES]);
    expect(read(format, outside, 'etc/passwd', 'a/b.csv')).toEqual([
      expect.objectContaining({ code: 'artifact_not_found' }),
      'x,1\n',
    ]);
    const twice = archiveOf([...FILES, { name: 'a/./b.csv', content: 'other' }]);
    expect(read(format, twice, 'a/b.csv')).toEqual([
      { code: 'invalid_archive', message: 'the archive has it more than once' },
    ]);
  });

  test('a file that is no archive is a problem, never an exception', () => {
    const archive = archiveOf(FILES);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 2_000 }),
          fc
            .tuple(fc.nat(archive.length - 1), fc.nat(255))
            .map(([at, byte]) => Uint8Array.from(archive, (old, index) => (index === at ? byte : old))),
          fc.nat(archive.length).map((length) => Uint8Array.from(archive.subarray(0, length))),
        ),
        (bytes) => {
          for (const reading of readMembers({ format, archive: bytes, paths: ['a/b.csv'] })) {
            const isKnown =
              'bytes' in reading || ['invalid_archive', 'artifact_not_found'].includes(reading.problem.code);
            expect(isKnown).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a zip archive', () => {
  const zipped = (entry: Parameters<typeof zipOf>[0][number]) => read('zip', zipOf([entry]), entry.name);

  test.each([
    ['a link', { name: 'a', content: '/etc/passwd', mode: 0o120777 }, 'it is no regular file'],
    ['a device', { name: 'a', mode: 0o060644 }, 'it is no regular file'],
    ['an encrypted file', { name: 'a', content: 'x', flags: 1 }, 'it is encrypted'],
    [
      'an unknown compression',
      { name: 'a', content: 'x', method: 14 },
      'its compression is not supported; use deflate',
    ],
    [
      'a file that is larger than its header',
      { name: 'a', content: 'x'.repeat(5_000), unpacked: 10 },
      'the archive is damaged',
    ],
    ['a file whose checksum differs', { name: 'a', content: 'x', crc: 1 }, 'the archive is damaged'],
    [
      'a file of more than 64 MiB',
      { name: 'a', content: 'x', unpacked: 65 * 1024 * 1024 },
      'it has more than 64 MiB',
    ],
    [
      'a bomb',
      { name: 'a', content: Buffer.alloc(8 * 1024 * 1024) },
      'it unpacks to more than 200 times its size',
    ],
  ])('a zip archive with %s is rejected', (_what, entry, message) => {
    expect(zipped(entry)).toEqual([{ code: 'invalid_archive', message }]);
  });

  test('a zip archive may hold uncompressed files, and end with a comment', () => {
    const archive = Buffer.concat([
      zipOf([{ name: 'a', content: 'as it is', method: 0 }]),
      Buffer.from('a comment'),
    ]);
    expect(read('zip', archive, 'a')).toEqual(['as it is']);
  });
});

describe('a tar archive', () => {
  test.each([
    ['2', 'a symbolic link'],
    ['1', 'a hard link'],
    ['3', 'a device'],
  ])('a tar archive with a member of type %s, %s, is rejected', (type) => {
    expect(read('tar', tarOf([{ name: 'a', type, link: '/etc/passwd' }]), 'a')).toEqual([
      { code: 'invalid_archive', message: 'it is no regular file' },
    ]);
  });

  test('a tar archive has long names by prefix, by pax and as GNU writes them', () => {
    const long = `${'d/'.repeat(80)}file.txt`;
    const archive = tarOf([
      { name: 'short.txt', prefix: 'dir', content: '1' },
      { name: 'pax', type: 'x', content: paxRecord('path', long) },
      { name: 'cut', content: '2' },
      { name: '././@LongLink', type: 'L', content: `${long}.gnu\0` },
      { name: 'cut', content: '3' },
    ]);
    expect(read('tar', archive, 'dir/short.txt', long, `${long}.gnu`)).toEqual(['1', '2', '3']);
  });

  test('a tar archive with the compression ratio of a bomb is rejected', () => {
    const bomb = gzipSync(tarOf([{ name: 'a', content: Buffer.alloc(8 * 1024 * 1024) }]));
    expect(read('tar.gz', bomb, 'a')).toEqual([
      { code: 'invalid_archive', message: 'it unpacks to more than 200 times its size' },
    ]);
  });
});
