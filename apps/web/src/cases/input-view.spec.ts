import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { inputView } from './input-view.js';

const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';

describe('an input is rendered by its kind', () => {
  test.each([
    ['text', 'a\nb', { as: 'text', text: 'a\nb' }],
    ['markdown', '# a', { as: 'markdown', text: '# a' }],
    ['code', 'x = 1', { as: 'code', text: 'x = 1' }],
    ['file', 'x', { as: 'code', text: 'x' }],
    ['json', '{"a": 1}', { as: 'json', value: { a: 1 } }],
    ['json', [1], { as: 'json', value: [1] }],
    ['JSON', 'no json', { as: 'json', value: 'no json' }],
    ['image', PIXEL, { as: 'image', source: PIXEL }],
    ['table', 'a,b\n1,2', { as: 'table', table: { columns: ['a', 'b'], rows: [['1', '2']], omitted: 0 } }],
    ['question', 'why', { as: 'text', text: 'why' }],
    ['question', 7, { as: 'text', text: '7' }],
    ['constructor', { a: 1 }, { as: 'json', value: { a: 1 } }],
  ])('an input of kind %s with %j has the view of its kind', (kind, value, view) => {
    expect(inputView(kind, value)).toEqual(view);
  });

  test.each([
    ['image', 'https://tracker.example/pixel.png', 'text'],
    ['image', 'data:image/svg+xml;base64,PHN2Zz4=', 'text'],
    ['image', 'data:text/html;base64,PHA+', 'text'],
    ['table', 7, 'text'],
    ['table', { a: 1 }, 'json'],
    ['markdown', ['a'], 'json'],
  ])('an input that does not fit its kind is shown as any other value: %s %j', (kind, value, as) => {
    expect(inputView(kind, value).as).toBe(as);
  });

  test('any value of any kind has a view', () => {
    const kinds = fc.constantFrom('text', 'markdown', 'json', 'code', 'image', 'file', 'table', 'x');
    fc.assert(
      fc.property(kinds, fc.jsonValue(), (kind, value) => {
        expect(inputView(kind, value).as).toEqual(expect.stringMatching(/^\w+$/));
      }),
    );
  });
});
