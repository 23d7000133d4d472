import { describe, expect, test } from '@jest/globals';
import { readConfig } from './config.js';
import { credentialVariables, ProviderCallsEnvironment } from './provider-calls.js';

describe('the environment of calls to providers', () => {
  test('calls to providers have no private address and no credential from variables by default', () => {
    const config = readConfig(ProviderCallsEnvironment, {});
    expect(config).toMatchObject({ CREDENTIALS_ENV: 'deny', egress: { operatorUnlock: [], ports: 'any' } });
    expect(credentialVariables({ OPENAI_KEY: 'k' }, config)).toBeUndefined();
  });

  test('a setting of egress that cannot be enforced is rejected', () => {
    const environment = { EGRESS_PORTS: '80,https' };
    expect(() => readConfig(ProviderCallsEnvironment, environment)).toThrow(/EGRESS: .*https/);
  });

  test.each([
    ...[
      'NATS_PASSWORD',
      'DATABASE_URL',
      'VAULT_KEYS',
      'E2B_API_KEY',
      'SANDBOX_PROVIDER',
      'AWS_SECRET_ACCESS_KEY',
      'OTEL_EXPORTER_OTLP_HEADERS',
    ],
    ...[
      'S3_BUCKET',
      'BLOB_FOLDER',
      'OPERATOR_TOKEN_SHA256',
      'URL_SIGNING_KEY',
      'BOOTSTRAP_ADMIN_TOKEN_SHA256',
    ],
  ])('no credential may name the variable %s', (name) => {
    const read = credentialVariables({ [name]: 'ours', OPENAI_KEY: 'theirs' }, { CREDENTIALS_ENV: 'allow' });
    expect([read?.(name), read?.('OPENAI_KEY')]).toEqual([undefined, 'theirs']);
  });
});
