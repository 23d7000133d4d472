import { describe, expect, test } from '@jest/globals';
import { findDocument, noDocument, readDocument } from './document-file.js';

const named = (...names: string[]) => names.map((name) => ({ name }));
const found = (names: string[], beside: string[] = []) =>
  findDocument(named(...names), ({ name }) => beside.includes(name))?.name;
const file = (name: string, ...parts: BlobPart[]) => Object.assign(new Blob(parts), { name });

describe('the pack among files that are opened', () => {
  test.each([
    [['pack.json'], 'pack.json'],
    [['cases.json', 'a.csv', 'pack.YML'], 'pack.YML'],
    [['logo.png', 'notes.txt'], undefined],
  ])('the pack among the files %j is %s', (names, document) => {
    expect(found(names)).toBe(document);
  });

  test('the pack is not looked for among files that are already beside it', () => {
    expect(found(['cases.json'], ['cases.json'])).toBeUndefined();
    expect(found(['config.yaml', 'pack.json'], ['config.yaml'])).toBe('pack.json');
  });

  test('a missing pack is reported with the names of the files', () => {
    expect(noDocument(named('logo.png'))).toContain('logo.png is not a pack');
    expect(noDocument(named('a.png', 'b.png', 'c.png'))).toContain('a.png and 2 more are not a pack');
  });
});

describe('a file that is opened', () => {
  test('an opened file is read as text, without a byte-order mark', async () => {
    expect(await readDocument(file('a.yaml', '\ufeffname: Zürich'))).toEqual({ text: 'name: Zürich' });
  });

  test.each([
    ['bytes that are no UTF-8', file('a.yaml', new Uint8Array([0xff, 0xfe, 0x61])), 'is not UTF-8 text'],
    ['a program under the name of a pack', file('a.yaml', 'x\0y'), 'is not UTF-8 text'],
    ['a file of gigabytes', { ...named('a.yaml')[0], size: 4e9, arrayBuffer: unread }, 'is too large'],
    ['a folder', { ...named('a.yaml')[0], size: 0, arrayBuffer: unread }, 'cannot be read'],
  ])('an opened file reports the problem of %s', async (_what, given, problem) => {
    const reading = await readDocument(given as Parameters<typeof readDocument>[0]);
    expect(reading).toEqual({ problem: expect.stringContaining(`a.yaml ${problem}`) });
  });
});

function unread(): Promise<ArrayBuffer> {
  return Promise.reject(new DOMException('gone', 'NotReadableError'));
}
