import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { labelLines, readLabels } from './label-lines.js';

describe('labels as lines', () => {
  test('labels are read from lines of key=value; empty lines and blanks around them count for nothing', () => {
    expect(readLabels(' team = search \n\nurl=http://x/?a=b\nempty=')).toEqual({
      labels: { team: 'search', url: 'http://x/?a=b', empty: '' },
    });
  });

  test('a line without a key and a repeated key are problems with their place', () => {
    expect(readLabels('a=1\n=2').problem).toBe('Line 2 must be key=value');
    expect(readLabels('a=1\nb').problem).toBe('Line 2 must be key=value');
    expect(readLabels('a=1\na=2').problem).toBe('Line 2 repeats the key a');
  });

  test('labels that are written as lines are read again as they were', () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9_-]{0,9}$/).filter((key) => !(key in {}));
    fc.assert(
      fc.property(fc.dictionary(word, fc.stringMatching(/^([a-z=]{1,9})?$/)), (labels) => {
        expect(readLabels(labelLines(labels)).labels).toEqual({ ...labels });
      }),
    );
  });
});
