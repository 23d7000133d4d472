import { describe, expect, test } from '@jest/globals';
import { readCredentialReference } from './credential-reference.js';
import { neededSecrets } from './run-secrets.js';

describe('secrets of a run', () => {
  test('are those of every tool, in any encoding, and never those behind an escape', () => {
    const custom = [
      {
        name: 'a',
        implementation: { primitive: 'http_request', args: { body: '${json:secrets.B} $${secrets.NO}' } },
      },
      { name: 'b', implementation: { type: 'mock', response: '${secrets.NO}' } },
    ];
    const implementation = {
      mode: 'delegate' as const,
      primitive: 'http_request',
      args: { url: ['${secrets.A}'] },
    };
    const workspace = [
      {
        name: 'c',
        tool_kind: 'primitive' as const,
        lifecycle_status: 'active' as const,
        attached: true,
        definition: { implementation },
      },
    ];
    expect(neededSecrets({ custom, workspace })).toEqual(['A', 'B']);
  });

  test('a variable of the executor serves only where the operator allows it', () => {
    expect(readCredentialReference('env://KEY', { env: 'allow' })).toEqual({
      reference: { kind: 'env', name: 'KEY' },
    });
  });
});
