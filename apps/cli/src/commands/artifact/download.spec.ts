import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { checkedContent, localName } from './download.js';

const bytes = Buffer.from('the content');
const artifact = { id: 'a', sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };

async function read(sent: string, onProgress?: (done: number) => void): Promise<string> {
  const chunks = (async function* () {
    yield Buffer.from(sent.slice(0, 4));
    yield Buffer.from(sent.slice(4));
  })();
  let text = '';
  for await (const chunk of checkedContent(chunks, artifact, onProgress))
    text += Buffer.from(chunk).toString();
  return text;
}

describe('what is downloaded', () => {
  test('a download arrives unchanged and reports its progress', async () => {
    const seen: number[] = [];
    expect(await read('the content', (done) => seen.push(done))).toBe('the content');
    expect(seen).toEqual([4, 11]);
  });

  test('a truncated download is refused', async () => {
    await expect(read('the cont')).rejects.toMatchObject({
      exit: 'try_again',
      message: expect.stringContaining('8 of 11'),
    });
  });

  test('a download that was changed in transit is refused', async () => {
    await expect(read('The content')).rejects.toThrow('other bytes');
  });
});

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
  ])('the local name of an artifact named %j is %s', (name, local) => {
    expect(localName({ id: 'the-id', name })).toBe(local);
  });
});
