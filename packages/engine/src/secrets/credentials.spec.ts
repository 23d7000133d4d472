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
  test('whose secret was deleted since the run was created is missing: no fault of ours', async () => {
    expect(await opening(new SecretNotSet('KEY'))).toBeUndefined();
  });

  test('that the vault does not open is our fault', async () => {
    const end = { because: 'infra', code: 'vault_unreachable' };
    const error = await opening(new Error('no answer')).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AttemptEnded);
    expect(error).toMatchObject({ end });
  });
});
