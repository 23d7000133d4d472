import { readStoredCase } from '@agentclash/challengepack';
import { describe, expect, test } from '@jest/globals';
import { storedCaseOf } from './evidence.js';
import { planningOf, RowCase } from './row-case.js';
import { RowDocuments } from './row-documents.js';

const document = {
  schema_version: 1,
  case_key: 'k1',
  payload: { number: 7 },
  expectations: [{ key: 'sum', kind: 'text', value: '14' }],
} as const;
const keys = { challenge_key: 'add', case_key: 'k1', item_key: 'k1' };
const row = { position: 4, ...keys, kind: 'case_document' as const };

describe('A case of a data file', () => {
  test('it is the case that is stored', () => {
    const each = new RowCase('default', { ...row, document: JSON.stringify(document) }, new RowDocuments());
    expect(each.case).toEqual(readStoredCase({ ...row, document }));
    expect(storedCaseOf(each, 4)).toEqual({ ...row, document });
  });

  test('a run is planned by it without decoding its document', () => {
    const each = new RowCase('default', { ...row, document: 'not read' }, new RowDocuments());
    expect(planningOf(each)).toMatchObject({ case_key: 'k1', challenge_key: 'add' });
  });
});
