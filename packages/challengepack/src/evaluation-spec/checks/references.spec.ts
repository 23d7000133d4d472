import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseReference } from '../references.js';
import { suggestedReference } from './references.js';

test.each([
  ['finl_output', 'final_output'],
  ['output', 'final_output'],
  ['Final_Output', 'final_output'],
  ['case.expectation.n', 'case.expectations.n'],
  ['case.expected.n', 'case.expectations.n'],
  ['cases.payload.x.y', 'case.payload.x.y'],
  ['case.input.doc', 'case.inputs.doc'],
  ['expectations.result', 'case.expectations.result'],
  ['fil:report', 'file:report'],
  ['litteral: a', 'literal:a'],
  ['transcript.ful', 'transcript.full'],
  ['transcript.last:3', 'transcript.last_n:3'],
  ['artefact.gold', 'artifact.gold'],
  ['case.', undefined],
  ['result', undefined],
])('the malformed reference %s leads to the suggestion %s', (text, suggestion) => {
  expect(suggestedReference(text)).toBe(suggestion);
});

test('a suggestion is always a valid reference', () => {
  const piece = fc.constantFrom(
    'case',
    'inputs',
    'expectation',
    'payloads',
    'x',
    '.',
    ':',
    'file',
    'fil',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const suggestion = suggestedReference(pieces.join(''));
      expect(suggestion === undefined || parseReference(suggestion) !== null).toBe(true);
    }),
  );
});
