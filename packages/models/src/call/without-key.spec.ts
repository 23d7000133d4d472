import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { headersWithoutKey, withoutKey } from './without-key.js';

/** The output for each chunk, and for the end of the stream. */
async function passed(key: string, chunks: readonly string[]): Promise<string[]> {
  const output: string[] = [];
  async function* arriving() {
    for (const chunk of chunks) {
      output.push('');
      yield Buffer.from(chunk, 'latin1');
    }
    output.push('');
  }
  for await (const chunk of withoutKey(arriving(), key)) {
    output[output.length - 1] += Buffer.from(chunk).toString('latin1');
  }
  return output;
}

describe('The reply of a provider', () => {
  test('An echoed key is replaced in the headers, too', () => {
    const headers = { 'request-id': 'for sk-1 and sk-1', 'retry-after': '3' };
    expect(Object.fromEntries(headersWithoutKey(headers, 'sk-1'))).toEqual({
      ...headers,
      'request-id': 'for [key] and [key]',
    });
    expect(Object.fromEntries(headersWithoutKey(headers, ''))).toEqual(headers);
  });

  test('An echoed key is replaced wherever a reply is cut into chunks', async () => {
    const pieces = fc.array(fc.constantFrom('aab', 'a', 'aa', 'b', 'ab', '-', 'é'), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(pieces, async (chunks) => {
        const whole = chunks.join('');
        expect((await passed('aab', chunks)).join('')).toBe(whole.replaceAll('aab', '[key]'));
      }),
    );
  });

  test('A chunk passes at once unless its end may begin the key', async () => {
    const key = 'sk-12345';
    expect(await passed(key, ['data: 1\n\n', 'data: sk-1', '2345\n\n', 'data: sk-', 'other'])).toEqual([
      'data: 1\n\n',
      'data: ',
      '[key]\n\n',
      'data: ',
      'sk-other',
      '',
    ]);
    expect(await passed(key, ['ends with sk-'])).toEqual(['ends with ', 'sk-']);
  });
});
