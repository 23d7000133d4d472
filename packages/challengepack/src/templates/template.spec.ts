import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderTemplate, TemplateError, templateContext, templatePaths } from './template.js';

const CONTEXT = templateContext(
  { a: { b: 'deep', list: ['x'], n: -0.0000001 }, text: '{{a.b}}', big: 1e21, over: 1 },
  [{ key: 'over', value: 2 }, { key: 'gone', value: null }, { key: 'absent' }],
);

const render = (text: string) => renderTemplate(text, CONTEXT, 'lenient');

describe('a case template', () => {
  test.each([
    ['{{ a.b\t}}', 'deep'],
    ['{{over}}', '2'],
    ['{{text}}', '{{a.b}}'],
    ['{{a.n}}', '0'],
    ['{{big}}', '1000000000000000000000'],
    ['{{a.list}}', '["x"]'],
    ['{{a.list.0}}', '{{a.list.0}}'],
    ['{{a.constructor}}', '{{a.constructor}}'],
    ['{{gone}} {{absent}}', '{{gone}} {{absent}}'],
    ['{{{over}}}', '{2}'],
    ['{{ ä }}', '{{ ä }}'],
    ['{{over', '{{over'],
  ])('the template %s is rendered as %s', (text, rendered) => {
    expect(render(text)).toBe(rendered);
  });

  test('a template in strict mode names the value that is missing', () => {
    const strict = (text: string) => () => renderTemplate(text, CONTEXT, 'strict');
    expect(strict('{{over}} {{none.x}}')).toThrow(new TemplateError('unresolved_placeholder', 'none.x'));
    expect(strict('{{a..b}}')).toThrow(new TemplateError('invalid_placeholder', 'a..b'));
  });

  test('the paths of a template contain each path once', () => {
    expect(templatePaths('{{a}} {{ b.c }} {{a}} {x}')).toEqual(['a', 'b.c']);
  });

  test('a template without placeholders is the text itself, and inserted text is never scanned', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(renderTemplate('{{v}}', { v: text }, 'strict')).toBe(text);
        if (!text.includes('{{')) expect(render(text)).toBe(text);
      }),
    );
  });
});
