import { describe, expect, test } from '@jest/globals';
import { readCase } from './read-case.js';

const DOCUMENT = {
  schema_version: 1,
  case_key: 'march',
  payload: { month: 3 },
  inputs: [
    { key: 'note', kind: 'markdown', value: '# Hi' },
    { key: 'ledger', kind: 'table', artifact_key: 'ledger' },
    { key: 'rules', kind: 'file', artifact_key: 'rules', path: 'a/rules.md' },
  ],
  expectations: [
    { key: 'total', kind: 'number', value: 6 },
    { key: 'note', kind: 'text', source: 'input:note' },
    { key: 'gold', kind: 'file', artifact_key: 'gold' },
  ],
  assets: [{ key: 'ledger', path: 'own.csv', artifact_id: 'A' }],
};
const MANIFEST = {
  version: {
    assets: [
      { key: 'rules', path: 'rules.zip' },
      { key: 'ledger', path: 'far.csv' },
    ],
  },
  challenges: [{ key: 'sum', assets: [{ key: 'rules', path: 'near.zip', media_type: 'application/zip' }] }],
};

describe('a stored case', () => {
  test('a stored case has its inputs with the nearest asset behind each, and its expectations', () => {
    const stored = { kind: 'case_document', challenge_key: 'sum', document: DOCUMENT };
    const { inputs, expectations, payload } = readCase(stored, MANIFEST);
    expect(inputs).toEqual([
      { key: 'note', kind: 'markdown', value: '# Hi', asset: undefined, path: '' },
      {
        key: 'ledger',
        kind: 'table',
        value: undefined,
        asset: { key: 'ledger', path: 'own.csv', mediaType: '', artifactId: 'A' },
        path: '',
      },
      {
        key: 'rules',
        kind: 'file',
        value: undefined,
        asset: { key: 'rules', path: 'near.zip', mediaType: 'application/zip', artifactId: undefined },
        path: 'a/rules.md',
      },
    ]);
    expect(expectations.map(({ key, value, source }) => [key, value, source])).toEqual([
      ['total', 6, ''],
      ['note', undefined, 'input:note'],
      ['gold', undefined, 'artifact:gold'],
    ]);
    expect(payload).toEqual({ month: 3 });
  });

  test('an expectation has the value or the file of its source', () => {
    const asset = { key: 'gold', path: 'gold.csv', media_type: 'text/csv', artifact_id: 'G' };
    const stored = { document: { ...DOCUMENT, assets: [asset] } };
    const [, note, gold] = readCase(stored).expectations;
    expect(note).toMatchObject({ value: undefined, sourceValue: '# Hi' });
    expect(gold?.asset).toEqual({ key: 'gold', path: 'gold.csv', mediaType: 'text/csv', artifactId: 'G' });
    const [, lost] = readCase({ document: { expectations: DOCUMENT.expectations } }).expectations;
    expect([lost?.sourceValue, lost?.asset]).toEqual([undefined, undefined]);
  });

  test('a stored case with a bare payload is that payload, whatever it holds', () => {
    const stored = { kind: 'payload', challenge_key: 'sum', document: { inputs: [{ key: 'a' }], x: 1 } };
    expect(readCase(stored, MANIFEST)).toMatchObject({ inputs: [], payload: stored.document });
  });

  test('a stored case of another form shows its known members', () => {
    expect(readCase({ inputs: 5, expectations: [null], payload: {} })).toMatchObject({
      inputs: [],
      expectations: [],
      payload: undefined,
    });
  });
});
