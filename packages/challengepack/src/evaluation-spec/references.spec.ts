import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseReference, type Reference } from './references.js';

const READ: [text: string, reference: Reference][] = [
  ['final_output', { kind: 'final_output' }],
  ['run.final_output', { kind: 'final_output' }],
  ['file:report', { kind: 'file', check: 'report' }],
  ['file:a:b', { kind: 'file', check: 'a:b' }],
  ['transcript.full', { kind: 'transcript', part: 'full' }],
  ['transcript.from_mismatch', { kind: 'transcript', part: 'from_mismatch' }],
  ['transcript.last_n:3', { kind: 'transcript', part: 'last_n', count: 3 }],
  ['turn.expectations', { kind: 'turn_expectations' }],
  ['challenge_input', { kind: 'case_payload', path: [] }],
  ['case.payload', { kind: 'case_payload', path: [] }],
  ['case.payload.rows.0.id', { kind: 'case_payload', path: ['rows', '0', 'id'] }],
  ['case.inputs.doc', { kind: 'case_input', key: 'doc', path: [] }],
  ['case.expectations.gold.text', { kind: 'case_expectation', key: 'gold', path: ['text'] }],
  ['artifact.spec', { kind: 'artifact', key: 'spec' }],
  ['artifact.spec.media_type', { kind: 'artifact', key: 'spec', field: 'media_type' }],
  ['literal:', { kind: 'literal', text: '' }],
  ['literal: a:b ', { kind: 'literal', text: ' a:b ' }],
];

const REFUSED = [
  '',
  'tool_calls',
  'final_output.text',
  'Final_output',
  'file:',
  'file: ',
  'transcript',
  'transcript.last_n:',
  'transcript.last_n:0',
  'transcript.last_n:-1',
  'transcript.last_n:1.5',
  'turn.expectations.x',
  'challenge_input.a',
  'case',
  'case.payload.',
  'case.payload..a',
  'case.inputs',
  'case.inputs. ',
  'case.artifacts.a',
  'artifact.',
  'artifact.spec.size',
  'artifact.spec.path.more',
  'constructor',
];

describe('references', () => {
  test.each(READ)('the reference %s is parsed', (text, reference) =>
    expect(parseReference(text)).toEqual(reference),
  );

  test.each(REFUSED)('the text %j is no reference', (text) => expect(parseReference(text)).toBeNull());

  test('any text is parsed or refused, without an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => parseReference(text) === null || text !== ''));
  });

  test('everything after the first colon of a literal is its text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseReference(`literal:${text}`)).toEqual({ kind: 'literal', text });
      }),
    );
  });
});
