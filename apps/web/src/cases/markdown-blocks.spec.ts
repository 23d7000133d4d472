import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Block, type Inline, markdownBlocks } from './markdown-blocks.js';

const text = (content: string): Inline[] => [{ is: 'text', text: content }];

describe('markdown', () => {
  test('markdown consists of headings, paragraphs, lists, quotes, code and rules', () => {
    const source = '# Title\nOne\ntwo\n\n- a\n- b\n\n1. c\n> q\n\n```py\nx = 1\n```\n---\nend';
    expect(markdownBlocks(source)).toEqual<Block[]>([
      { is: 'heading', level: 1, content: text('Title') },
      { is: 'paragraph', content: text('One\ntwo') },
      { is: 'list', isOrdered: false, items: [text('a'), text('b')] },
      { is: 'list', isOrdered: true, items: [text('c')] },
      { is: 'quote', content: text('q') },
      { is: 'code', text: 'x = 1' },
      { is: 'rule' },
      { is: 'paragraph', content: text('end') },
    ]);
  });

  test('markdown has strong, emphasised and literal words, and links to http and https alone', () => {
    const [block] = markdownBlocks(
      'a **b** *c* `d` [e](https://e.example) [f](javascript:f) ![g](https://g)',
    );
    expect(block).toEqual({
      is: 'paragraph',
      content: [
        { is: 'text', text: 'a ' },
        { is: 'strong', text: 'b' },
        { is: 'text', text: ' ' },
        { is: 'emphasis', text: 'c' },
        { is: 'text', text: ' ' },
        { is: 'code', text: 'd' },
        { is: 'text', text: ' ' },
        { is: 'link', text: 'e', to: 'https://e.example' },
        { is: 'text', text: ' [f](javascript:f) ' },
        { is: 'text', text: 'g' },
      ],
    });
  });

  test('JSON outside of a fence is code, also where it is cut, and keeps its indentation', () => {
    const json = JSON.stringify({ rows: [{ a: 1 }], note: 'x' }, null, 2);
    expect(markdownBlocks(`Add them.\n\n${json}\nThen stop.`)).toEqual<Block[]>([
      { is: 'paragraph', content: text('Add them.') },
      { is: 'code', text: json },
      { is: 'paragraph', content: text('Then stop.') },
    ]);
    expect(markdownBlocks(`Input:\n${json.slice(0, 19)}`)).toEqual<Block[]>([
      { is: 'paragraph', content: text('Input:') },
      { is: 'code', text: json.slice(0, 19) },
    ]);
    expect(markdownBlocks('{"a":{"b":1}}')).toEqual([
      { is: 'code', text: '{\n  "a": {\n    "b": 1\n  }\n}' },
    ]);
    expect(markdownBlocks('[1]\n{x}\n{"a"}')).toEqual([
      { is: 'paragraph', content: text('[1]\n{x}\n{"a"}') },
    ]);
  });

  test('a table has as many cells in each row as columns, with or without bars at the ends of its lines', () => {
    const table = (rows: string[][]): Block => ({
      is: 'table',
      head: [text('a'), text('b')],
      rows: rows.map((row) => row.map((cell) => (cell === '' ? [] : text(cell)))),
    });
    expect(markdownBlocks('See:\n| a | b |\n|---|:-:|\n| 1 | x\\|y |\n| 2 |\nend')).toEqual<Block[]>([
      { is: 'paragraph', content: text('See:') },
      table([
        ['1', 'x|y'],
        ['2', ''],
      ]),
      { is: 'paragraph', content: text('end') },
    ]);
    expect(markdownBlocks('a|b\n-|-\n1|2|3')).toEqual([table([['1', '2']])]);
    expect(markdownBlocks('a | b\n--- | --- | ---')).toEqual([
      { is: 'paragraph', content: text('a | b\n--- | --- | ---') },
    ]);
  });

  test('a text of many openings of JSON and tables is read in a time that grows with its length', () => {
    const startedAt = performance.now();
    for (const line of ['{', '[', '{"', '[{', '|', '|-|', '| a |', '{"a":1}x]', '# #', '[a](http://b']) {
      markdownBlocks(`${line}\n`.repeat(5_000));
      markdownBlocks(line.repeat(10_000));
    }
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  test('an unclosed fence is code to its end', () => {
    expect(markdownBlocks('```\na\nb')).toEqual([{ is: 'code', text: 'a\nb' }]);
  });

  test('reading of any markdown ends, and a link has no other scheme', () => {
    const piece = fc.constantFrom(
      '#',
      '`',
      '```',
      '*',
      '**',
      '[',
      '](',
      ')',
      '>',
      '- ',
      '1. ',
      '\n',
      'a',
      ' ',
      'http://',
      '{',
      '}',
      '{"a":1}',
      '|',
      '-|-',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
        for (const found of JSON.stringify(markdownBlocks(pieces.join(''))).matchAll(/"to":"(.*?)"/g)) {
          expect(found[1]).toEqual(expect.stringMatching(/^https?:\/\//));
        }
      }),
    );
  });
});
