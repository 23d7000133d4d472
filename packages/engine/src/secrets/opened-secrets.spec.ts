import { describe, expect, test } from '@jest/globals';
import { AttemptEnded } from '../outcome/attempt-end.js';
import { openCredential, SecretNotSet } from './credentials.js';
import { OpenedSecrets } from './opened-secrets.js';

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
