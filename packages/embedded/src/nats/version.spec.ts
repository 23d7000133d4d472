import { describe, expect, test } from '@jest/globals';
import { newest } from './find.js';
import { compareVersions, PINNED_VERSION, pinnedArchive, unsupportedNotice, versionIn } from './version.js';

describe('the version of a nats-server', () => {
  test.each([
    ['nats-server: v2.9.10', '2.9.10'],
    ['nats-server: v2.12.0-RC.1', '2.12.0'],
    ['nats-server: v3.0', '3.0'],
    ['nats: command not found', undefined],
  ])('the version of a nats-server in %j is %s', (printed, version) => {
    expect(versionIn(printed)).toBe(version);
  });

  test('the version of a nats-server is compared by its numbers', () => {
    expect(['2.9.10', '2.15.1', '2.10', '2.9.9', '3.0'].sort(compareVersions)).toEqual([
      '2.9.9',
      '2.9.10',
      '2.10',
      '2.15.1',
      '3.0',
    ]);
  });

  test('a nats-server version without security fixes is reported with the next step, and a current one is not', () => {
    expect(unsupportedNotice('2.9.10')).toMatch(
      /^nats-server 2\.9\.10 gets no fixes any more: put 2\.14 or newer/,
    );
    expect(unsupportedNotice('2.13.9')).toBeDefined();
    expect(unsupportedNotice('2.14.0')).toBeUndefined();
    expect(unsupportedNotice(versionIn(PINNED_VERSION) ?? '')).toBeUndefined();
  });

  test('a downloaded nats-server is pinned by its checksum, for each processor that the stack supports', () => {
    for (const processor of ['x64', 'arm64']) {
      expect(pinnedArchive(processor)?.sha256).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(pinnedArchive('mips')).toBeUndefined();
  });
});

test('the newest of several nats-servers is taken, and the first of equal ones', () => {
  const [old, current, same] = ['2.9.10', '2.15.1', '2.15.1'].map((version, at) => ({
    file: `${at}`,
    version,
  }));
  if (!old || !current || !same) throw new Error('unreachable');
  expect(newest([old, current, same])).toBe(current);
  expect(newest([])).toBeUndefined();
});
