import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { previewOf, shrinkResult } from './shrink.js';

const keep = async (_text: string, field: string) => `spill/${field}.txt`;

describe('long results', () => {
  test('a result of 32 KiB of JSON stays whole, and one byte more does not', async () => {
    const result = { content: 'x'.repeat(32 * 1024 - '{"content":""}'.length) };
    expect(await shrinkResult(result, ['content'], keep)).toBe(result);
    const longer = await shrinkResult({ content: `${result.content}x` }, ['content'], keep);
    expect(longer).toMatchObject({ content: { truncated: true, total_bytes: 32 * 1024 - 13 } });
  });

  test('only main fields are replaced, and only as many as needed', async () => {
    const result = { path: 'a', stdout: 'o'.repeat(60_000), stderr: 'short', exit_code: 1 };
    expect(await shrinkResult(result, ['stdout', 'stderr'], keep)).toMatchObject({
      path: 'a',
      stdout: { truncated: true, full_output_path: 'spill/stdout.txt' },
      stderr: 'short',
      exit_code: 1,
    });
  });

  test('a full disk leaves the preview without a path', async () => {
    const result = { content: 'x'.repeat(40_000) };
    const shrunk = await shrinkResult(result, ['content'], async () => null);
    expect(shrunk).toMatchObject({ content: { full_output_path: null, total_lines: 1 } });
  });

  test('a long list is spilled with one entry per line', async () => {
    const files = Array.from({ length: 2_000 }, (_, at) => ({ path: `file-${at}`, size: at }));
    let spilled = '';
    const shrunk = await shrinkResult({ files }, ['files'], async (text) => {
      spilled = text;
      return 'f';
    });
    expect(spilled.split('\n')[3]).toBe('{"path":"file-3","size":3}');
    expect(shrunk).toMatchObject({ files: { total_lines: 2_000 } });
  });
});

describe('previews', () => {
  test('previews hold at most 100 lines of the beginning and 50 of the end', () => {
    const lines = Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`);
    const { preview, omitted_bytes } = previewOf(lines.join(''), null);
    expect(preview).toBe(
      `${lines.slice(0, 100).join('')}\n[… ${omitted_bytes} bytes omitted …]\n${lines.slice(950).join('')}`,
    );
  });

  test('previews never split a character and account for every byte', () => {
    const text = fc.array(fc.constantFrom('a', 'ü', '→', '💥', '\n'), { minLength: 5_000, maxLength: 9_000 });
    fc.assert(
      fc.property(text, (characters) => {
        const whole = characters.join('');
        const { preview, omitted_bytes, total_bytes } = previewOf(whole, null);
        expect(preview).not.toContain('\ufffd');
        expect(total_bytes).toBe(Buffer.byteLength(whole));
        const [head = '', tail = ''] = preview.split(`\n[… ${omitted_bytes} bytes omitted …]\n`);
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + omitted_bytes).toBe(total_bytes);
      }),
      { numRuns: 30 },
    );
  });
});
