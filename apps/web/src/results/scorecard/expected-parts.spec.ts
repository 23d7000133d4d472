import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expectedParts, fixedText } from './expected-parts.js';
import { readScorecard } from './read-scorecard.js';

const caseOf = (...expectations: object[]) => ({ kind: 'case_document', document: { expectations } });
const manifestOf = (...validators: object[]) => ({ evaluation_spec: { validators } });
const capital = { key: 'capital', kind: 'text', value: 'Lima' };

describe('the expected values of an attempt', () => {
  test('expected values are those of the case, then those that validators have by themselves', () => {
    const manifest = manifestOf(
      { key: 'exact', type: 'exact_match', expected_from: 'literal:done' },
      { key: 'right', type: 'contains', expected_from: 'case.expectations.capital' },
    );
    const { values } = expectedParts(caseOf(capital), manifest, null);
    expect(values.map(({ key, value }) => [key, value])).toEqual([
      ['capital', 'Lima'],
      ['exact', 'done'],
    ]);
  });

  test('an attempt without a fixed value has what its validators compared, and else those that grade it', () => {
    const failed = { key: 'sum', type: 'numeric_match', verdict: 'fail' };
    const compared = { expected: { text: '6' }, actual: { text: '3' } };
    const card = readScorecard({
      validators: [{ ...failed, compared }],
      judges: [{ key: 'j', mode: 'rubric' }],
    });
    expect(expectedParts({}, undefined, card)).toEqual({
      values: [{ key: 'sum', kind: 'numeric_match', value: '6', source: '' }],
      graders: [
        { key: 'sum', kind: 'numeric_match' },
        { key: 'j', kind: 'rubric' },
      ],
    });
  });

  test('an expectation in a file has the whole text that a failed validator compared with', () => {
    const expectation = { key: 'good', kind: 'file', artifact_key: 'good' };
    const manifest = manifestOf({ key: 'same', expected_from: 'case.expectations.good' });
    const textWith = (expected: object) => {
      const compared = { expected, actual: { text: 'b' } };
      const card = readScorecard({
        validators: [{ key: 'same', type: 'exact_match', verdict: 'fail', compared }],
      });
      return expectedParts(caseOf(expectation), manifest, card).values[0]?.sourceValue;
    };
    expect(textWith({ text: 'a' })).toBe('a');
    expect(textWith({ text: 'a', from: 0, length: 9_000 })).toBeUndefined();
  });

  test('the fixed text is the only value, and there is none where a file has it', () => {
    const textOf = (...expectations: object[]) =>
      fixedText(expectedParts(caseOf(...expectations), undefined, null));
    expect(textOf(capital)).toBe('Lima');
    expect(textOf({ key: 'n', kind: 'json', value: { n: 6 } })).toBe('{"n":6}');
    expect(textOf(capital, capital)).toBeUndefined();
    expect(textOf({ key: 'f', kind: 'file', artifact_key: 'solution' })).toBeUndefined();
  });

  test('any JSON that a server sends is read without an error', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (stored, manifest) => {
        const asRecord = (value: unknown) => ({ document: value, evaluation_spec: value });
        expect(expectedParts(asRecord(stored), asRecord(manifest), null).graders).toEqual([]);
      }),
    );
  });
});
