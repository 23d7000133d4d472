import { Writable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bytes, clock, count, duration, estimate, moment } from './figures.js';
import { LiveArea } from './live-area.js';
import { Output, type OutputModes } from './output.js';
import { oneLine, printable } from './printable.js';
import { type Column, facts, table } from './table.js';
import { displayWidth, fit, padEnd } from './width.js';

function sink(): { stream: Writable; text(): string; writes: string[] } {
  const writes: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      writes.push(String(chunk));
      done();
    },
  });
  return { stream, writes, text: () => writes.join('') };
}

describe('printable', () => {
  test('control characters are shown as their code, never sent', () => {
    expect(printable('a\u001b[2Jb\u0007\u202ec')).toBe('a\\u001b[2Jb\\u0007\\u202ec');
  });

  test('one line stays one line and within its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, max) => {
        const line = oneLine(text, max);
        expect([...line].length).toBeLessThanOrEqual(max);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
        expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });
});

/** Characters of one and of several code points. */
const CHARACTER = fc.constantFrom(
  'a',
  ' ',
  '日',
  '\u{20000}',
  '🇩🇪',
  '👨‍👩‍👧',
  'e\u0301',
  '\u1112\u1161\u11ab',
);

describe('width', () => {
  test('wide characters take two columns, marks and styles none', () => {
    expect(displayWidth('日本')).toBe(4);
    expect(displayWidth('🙂')).toBe(2);
    expect(displayWidth('e\u0301')).toBe(1);
    expect(displayWidth('\u001b[31mred\u001b[39m')).toBe(3);
  });

  test.each([
    ['an ideograph outside of the basic plane', '\u{20000}', 2],
    ['a flag', '🇩🇪', 2],
    ['a family of joined emoji', '👨‍👩‍👧', 2],
    ['a Hangul syllable of separate letters', '\u1112\u1161\u11ab', 2],
    ['a zero-width space', '\u200b', 0],
  ])('%s takes the columns that Unicode gives it', (_what, text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  test('a cut text never exceeds its columns, and no character is cut in two', () => {
    const characters = new Intl.Segmenter();
    fc.assert(
      fc.property(fc.string({ unit: CHARACTER }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        const shown = fit(text, columns);
        expect(displayWidth(shown)).toBeLessThanOrEqual(columns);
        const whole = [...characters.segment(text)].map(({ segment }) => segment);
        const kept = [...characters.segment(shown.replace(/…$/, ''))].map(({ segment }) => segment);
        if (shown !== text) expect(whole.slice(0, kept.length)).toEqual(kept);
      }),
    );
  });

  test('a cut text fits, keeps its styles and closes them', () => {
    expect(fit('abcdef', 4)).toBe('abc…');
    expect(fit('\u001b[31mabcdef\u001b[39m', 4)).toBe('\u001b[31mabc…\u001b[0m');
    expect(fit('日本語', 4)).toBe('日…');
    expect(padEnd('日', 4)).toBe('日  ');
  });
});

describe('table', () => {
  test('columns are as wide as their widest cell, figures are right-aligned, the end is not padded', () => {
    const columns: Column<{ name: string; n: number }>[] = [
      { title: 'NAME', value: ({ name }) => name },
      { title: 'N', value: ({ n }) => String(n), align: 'right' },
      { title: 'X', value: () => '' },
    ];
    const rows = [
      { name: 'a', n: 5 },
      { name: 'longer', n: 123 },
    ];
    expect(table(rows, columns)).toBe('NAME      N  X\na         5\nlonger  123');
    expect(table([], columns, { empty: 'none' })).toBe('none');
  });

  test('a table is cut to the width of the terminal, in the columns that allow it, and never without a terminal', () => {
    const columns: Column<{ name: string; why: string }>[] = [
      { title: 'ID', value: () => '0123456789' },
      { title: 'NAME', value: ({ name }) => name, cutTo: 6 },
      { title: 'WHY', value: ({ why }) => why, cutTo: 4 },
    ];
    const rows = [{ name: 'n'.repeat(20), why: 'w'.repeat(30) }];
    const widthOf = (width?: number) =>
      Math.max(...table(rows, columns, { width }).split('\n').map(displayWidth));
    expect(widthOf()).toBe(64);
    expect(widthOf(64)).toBe(64);
    for (const width of [60, 50, 40, 30]) expect(widthOf(width)).toBe(width);
    // The part that identifies a row is not cut: below this the terminal wraps.
    expect(widthOf(10)).toBe(24);
    expect(table(rows, columns, { width: 10 })).toContain('0123456789  nnnnn…  www…');
  });

  test('a cell cannot break out of its row', () => {
    const columns = [{ title: 'A', value: (text: string) => text }];
    expect(table(['x\ny\u001b[1A'], columns).split('\n')).toHaveLength(2);
  });

  test('A hint of hidden columns and the values of facts are folded to the width of a terminal', () => {
    const columns: Column<string>[] = ['ID', 'THE FIRST', 'THE SECOND', 'THE THIRD'].map((title, index) => ({
      title,
      value: () => 'x'.repeat(10),
      ...(index > 0 && { leaveOut: index }),
    }));
    expect(table(['row'], columns, { width: 24 }).split('\n').slice(2)).toEqual([
      'hidden columns: the',
      'first, the second;',
      '--json has them',
    ]);
    const entries = [
      ['name', 'two words and more'],
      ['digest', `sha256:${'0'.repeat(64)}`],
    ] as const;
    expect(facts(entries, undefined, 20)).toBe('name    two words\n        and more\ndigest  sha256:0000…');
    expect(facts(entries)).toBe(`name    two words and more\ndigest  sha256:${'0'.repeat(64)}`);
  });

  test('facts that are undefined are left out', () => {
    expect(
      facts([
        ['id', '1'],
        ['name', undefined],
        ['status', 'ok'],
      ]),
    ).toBe('id      1\nstatus  ok');
  });
});

describe('figures', () => {
  test('durations are formatted in units from milliseconds to hours', () => {
    expect([0, 999, 1_000, 59_999, 60_000, 185_000, 7_800_000, null].map(duration)).toEqual([
      '0 ms',
      '999 ms',
      '1.0 s',
      '59.9 s',
      '1 m 00 s',
      '3 m 05 s',
      '2 h 10 m',
      '-',
    ]);
    expect([999, 61_000, null].map(clock)).toEqual(['0 s', '1 m 01 s', '-']);
  });

  test('sizes, counts, times and estimates are formatted', () => {
    expect([0, 1_023, 1_536, 104_857_600].map(bytes)).toEqual(['0 B', '1023 B', '1.5 KiB', '100 MiB']);
    expect([9_999, 12_345, 4_560_000].map(count)).toEqual(['9999', '12.3k', '4.56M']);
    expect(moment('2026-03-01T14:05:09.123+01:00')).toBe('2026-03-01 13:05:09 UTC');
    expect(estimate(0.5, [0.25, 0.75])).toBe('0.500 [0.250, 0.750]');
    expect(estimate(null, null)).toBe('-');
  });
});

describe('output', () => {
  const modes: OutputModes = { json: false, quiet: false, color: false };
  function output(changes: Partial<OutputModes>) {
    const [stdout, stderr] = [sink(), sink()];
    return { stdout, stderr, out: new Output(stdout.stream, stderr.stream, { ...modes, ...changes }) };
  }

  test('the option --json writes only the document to stdout', () => {
    const { stdout, out } = output({ json: true });
    out.line('for people');
    out.result({ a: 1 }, () => 'text');
    expect(JSON.parse(stdout.text())).toEqual({ a: 1 });
  });

  test('progress is written to stderr unless quiet, and warnings always', () => {
    const { stdout, stderr, out } = output({});
    out.note('progress');
    expect([stdout.text(), stderr.text()]).toEqual(['', 'progress\n']);
    const quiet = output({ quiet: true });
    quiet.out.note('progress');
    quiet.out.warn('careful');
    expect(quiet.stderr.text()).toBe('careful\n');
  });
});

describe('the live area', () => {
  test('each drawing is one write over the last one, and the output above it is kept', () => {
    const screen = sink();
    const area = new LiveArea(screen.stream);
    area.draw(['one', 'two']);
    area.draw(['three'], ['gone by']);
    area.close();
    expect(screen.writes).toHaveLength(3);
    expect(screen.writes[0]).toContain('\rone\u001b[K\ntwo\u001b[K\n\u001b[J');
    expect(screen.writes[1]).toContain('\r\u001b[2Agone by\u001b[K\nthree\u001b[K\n\u001b[J');
    expect(screen.writes[2]).toBe('\u001b[?25h');
  });

  test('a board higher than the screen is cut, so that it never scrolls', () => {
    const screen = sink();
    const area = new LiveArea(Object.assign(screen.stream, { rows: 4, columns: 30 }));
    area.draw(Array.from({ length: 10 }, (_, index) => `line ${index} ${'x'.repeat(50)}`));
    const lines = screen.text().split('\n').slice(0, -1);
    expect(lines).toHaveLength(3);
    expect(screen.text()).not.toContain('x'.repeat(29));
  });
});
