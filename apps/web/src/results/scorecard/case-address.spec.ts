import { describe, expect, test } from '@jest/globals';
import { evidenceAddress } from './case-address.js';

const lane = { runId: 'r', runAgentId: 'a' };

describe('a cell of the case matrix', () => {
  test('leads to the attempt itself where there is one', () => {
    expect(evidenceAddress({ ...lane, caseKey: 'peru' }, [{ id: 'x' }])).toBe('/attempts/x/scorecard');
  });

  test('leads to the attempts of the case where there are several, or none yet', () => {
    for (const attempts of [[{ id: 'x' }, { id: 'y' }], []]) {
      expect(evidenceAddress({ ...lane, caseKey: 'a b/c' }, attempts)).toBe(
        '/runs/r/agents/a?case=a%20b%2Fc',
      );
    }
  });
});
