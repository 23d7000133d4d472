import { describe, expect, test } from '@jest/globals';
import { compareVersions, versionAt } from './version.js';

describe('the version of a server', () => {
  test.each([
    ['0.1.0', '0.1.0', 0],
    ['0.1.0', '0.2.0', -1],
    ['0.10.0', '0.9.9', 1],
    ['1.0.0', '0.99.0', 1],
    ['1.0.0-rc.2', '1.0.0-rc.10', -1],
    ['1.0.0-rc.1', '1.0.0', -1],
    ['1.0.0', '1.0.0-rc.1', 1],
    ['1.0.0+build.5', '1.0.0', 0],
  ])('%s is compared with %s', (left, right, order) => {
    expect(Math.sign(compareVersions(left, right) ?? Number.NaN)).toBe(order);
  });

  test.each(['', 'latest', '1.0', '1.0.0.0', 'v1.0.0'])('"%s" is no version that can be compared', (text) => {
    expect(compareVersions(text, '1.0.0')).toBeUndefined();
    expect(versionAt('http://s', text, '1.0.0')).toMatchObject({ compared: 'unknown', compatible: null });
  });

  test('an older server, a newer one and one that shows no version each have their next step', () => {
    expect(versionAt('http://s', '0.1.0', '0.2.0')).toMatchObject({
      ...{ compared: 'older', compatible: true },
      next: expect.stringContaining('upgrade the server'),
    });
    expect(versionAt('http://s', '0.3.0', '0.2.0')).toMatchObject({
      ...{ compared: 'newer', compatible: true },
      next: expect.stringContaining('install version 0.3.0'),
    });
    expect(versionAt('http://s', undefined, '0.2.0')).toMatchObject({ version: null, compared: 'older' });
    expect(versionAt('http://s', '0.2.0', '0.2.0')).not.toHaveProperty('next');
  });
});
