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
