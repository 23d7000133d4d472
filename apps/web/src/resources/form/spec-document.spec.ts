import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parse, stringify } from 'yaml';
import { specDocument, withValue } from './spec-document.js';

const TEXT = `# of the team
name: fast # short
kind: model
config:
  model_alias: small
  # kept cold
  sampling: {temperature: 0}
  x-note: not in the form
`;

describe('a field of a form', () => {
  test('a changed field changes its value alone: comments, order and unknown members stay', () => {
    expect(withValue(TEXT, ['config', 'model_alias'], 'large')).toBe(TEXT.replace('small', 'large'));
    expect(withValue(TEXT, ['name'], 'faster')).toBe(TEXT.replace('fast #', 'faster #'));
  });

  test('the characters around a changed value stay, where the writer of YAML would set them otherwise', () => {
    const text = "name:   'a'\nconfig: {url:  x,model: y}   # one line\n";
    expect(withValue(text, ['config', 'url'], 'https://a.test/')).toBe(
      text.replace(' x,', ' https://a.test/,'),
    );
  });

  test('a removed field takes the maps with it that become empty, and not those with other members', () => {
    const without = withValue(TEXT, ['config', 'sampling', 'temperature'], undefined);
    expect(parse(without)).toEqual({
      ...{ name: 'fast', kind: 'model' },
      config: { model_alias: 'small', 'x-note': 'not in the form' },
    });
    expect(without).toContain('# of the team');
    expect(withValue(TEXT, ['config', 'absent', 'deep'], undefined)).toBe(TEXT);
  });

  test('a field of an absent map is written with the map, in JSON too', () => {
    expect(parse(withValue('', ['limits', 'max_concurrency'], 3))).toEqual({
      limits: { max_concurrency: 3 },
    });
    const json = withValue('{"name": "a"}', ['limits', 'max_concurrency'], 3);
    expect(JSON.parse(json)).toEqual({ name: 'a', limits: { max_concurrency: 3 } });
  });

  test.each(['name: a: b', '[1]', 'just words'])('a text that is no map is not changed: %j', (text) => {
    expect(specDocument(text)).toBeUndefined();
    expect(withValue(text, ['name'], 'x')).toBe(text);
  });

  test('any text that is written to a field is read from it, and nothing else changes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 }),
        fc.string({ unit: 'binary', maxLength: 30 }).filter((value) => value === value.toWellFormed()),
        (spec, value) => {
          const before = stringify({ ...spec, name: 'x' });
          const after = withValue(before, ['name'], value);
          expect(specDocument(after)?.valueAt(['name'])).toBe(value);
          expect(parse(withValue(after, ['name'], 'x'))).toEqual(parse(before));
        },
      ),
      { numRuns: 50 },
    );
  });
});
