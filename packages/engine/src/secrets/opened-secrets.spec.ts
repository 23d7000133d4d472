import { neededSecrets } from '@agentclash/attempt-plan';
import { readCredentialReference } from '@agentclash/domain';
import { Secret } from '@agentclash/redaction';
import { describe, expect, test } from '@jest/globals';
import { AttemptEnded } from '../outcome/attempt-end.js';
import { OpenedSecrets, openCredential, SecretNotSet } from './opened-secrets.js';

const opening = (failure: Error) =>
  openCredential('workspace-secret://KEY', {
    secrets: new OpenedSecrets({ resolve: () => Promise.reject(failure) }),
    signal: new AbortController().signal,
  });

describe('a credential', () => {
  test('a credential whose secret was deleted since the run was created is missing: no error of the platform', async () => {
    expect(await opening(new SecretNotSet('KEY'))).toBeUndefined();
  });

  test('a credential that the vault does not open is an error of the platform', async () => {
    const end = { because: 'infra', code: 'vault_unreachable' };
    const error = await opening(new Error('no reply')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AttemptEnded);
    expect(error).toMatchObject({ end });
  });
});

describe('secrets of a run', () => {
  test('secrets of a run are those of every tool, in any encoding, and never those behind an escape', () => {
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

test('a value stays hidden when its secret was set again during the attempt', async () => {
  const values = ['first-value', 'second-value'];
  const opened = new OpenedSecrets({ resolve: async () => [new Secret('KEY', values.shift() ?? '')] });
  const { signal } = new AbortController();
  await opened.open(['KEY'], signal);
  await opened.open(['KEY'], signal);
  expect(opened.redact('first-value, second-value')).toBe('[redacted:KEY], [redacted:KEY]');
  expect(opened.keys).toEqual(['KEY']);
});
