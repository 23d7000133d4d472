import { describe, expect, test } from '@jest/globals';
import { localName } from './download.js';

describe('the local name of an artifact', () => {
  test.each([
    ['data.csv', 'data.csv'],
    ['fixtures/a/data.csv', 'data.csv'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\evil.dll', 'evil.dll'],
    ['Größe "1".bin', 'Größe "1".bin'],
    ['..', 'the-id'],
    ['a/..', 'the-id'],
    ['a/', 'the-id'],
    ['', 'the-id'],
    ['-', 'the-id'],
    ['.bashrc', 'the-id'],
    ['a\u001b[2Jb', 'the-id'],
  ])('of %j is %s', (name, local) => {
    expect(localName({ id: 'the-id', name })).toBe(local);
  });
});
