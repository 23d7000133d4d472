import { describe, expect, test } from '@jest/globals';
import { artifactText, type CaseEvidence, expectationText, inputText, payloadText } from './case-text.js';

const ofCase: CaseEvidence = {
  payload: { rows: [{ id: 7 }], empty: '', 'a b': 1 },
  inputs: {
    prompt: { value: 'Hello', source: 'input:other' },
    nulled: { value: null, path: 'in/x.csv' },
    doc: { artifact_key: 'spec', path: 'in/spec.md' },
    self: { source: 'input:self' },
    odd: { source: 'file:x' },
  },
  expectations: {
    same: { source: 'input: prompt ' },
    file: { source: 'artifact:spec' },
    gone: { source: 'artifact:none' },
    nested: { value: { decision: { refund: true } } },
  },
  artifacts: {
    spec: {
      key: 'spec',
      kind: 'file',
      path: 'assets/spec.md',
      media_type: 'text/markdown',
      content: '# Policy\n',
    },
    bare: { key: 'bare', path: 'assets/bare.txt' },
    binary: { key: 'binary', path: 'assets/b.bin', content: null },
  },
};

describe('payloadText', () => {
  test.each([
    [[], '{"a b":1,"empty":"","rows":[{"id":7}]}'],
    [['rows', '0', 'id'], '7'],
    [['empty'], ''],
    [['rows', '1'], undefined],
    [['rows', 'length'], undefined],
    [['rows', '0', 'id', 'x'], undefined],
    [['constructor'], undefined],
  ])('the path %j in a payload selects the text %j', (path, text) => {
    expect(payloadText(ofCase, path)).toBe(text);
  });

  test('a case without payload has the empty one', () => {
    expect(payloadText({}, [])).toBe('{}');
  });
});

test('an entry is the first of value, source, artifact and path', () => {
  expect(inputText(ofCase, 'prompt')).toBe('Hello');
  expect(inputText(ofCase, 'nulled')).toBe('in/x.csv');
  expect(inputText(ofCase, 'doc')).toBe('# Policy\n');
  expect(expectationText(ofCase, 'same')).toBe('Hello');
  expect(expectationText(ofCase, 'file')).toBe('# Policy\n');
  expect(expectationText(ofCase, 'nested', ['decision', 'refund'])).toBe('true');
});

test('a path that leads nowhere is absent, and a circular path ends', () => {
  expect(inputText(ofCase, 'self')).toBeUndefined();
  expect(inputText(ofCase, 'odd')).toBeUndefined();
  expect(inputText(ofCase, 'toString')).toBeUndefined();
  expect(expectationText(ofCase, 'gone')).toBeUndefined();
});

test('a chain of sources is followed for eight hops', () => {
  const chain = Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [
      `i${at}`,
      at === 9 ? { value: 'end' } : { source: `input:i${at + 1}` },
    ]),
  );
  expect(inputText({ inputs: chain }, 'i1')).toBe('end');
  expect(inputText({ inputs: chain }, 'i0')).toBeUndefined();
});

test('an artifact is its stored text, else its path; a stored file that is no text is absent', () => {
  expect(artifactText(ofCase, 'spec')).toBe('# Policy\n');
  expect(artifactText(ofCase, 'bare')).toBe('assets/bare.txt');
  expect(artifactText(ofCase, 'binary')).toBeUndefined();
  expect(artifactText(ofCase, 'spec', 'media_type')).toBe('text/markdown');
  expect(artifactText(ofCase, 'bare', 'media_type')).toBeUndefined();
});
