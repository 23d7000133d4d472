import { databaseEnvironment, readConfig, serviceEnvironment } from '@agentclash/service-kit';
import { z } from 'zod';
import { KeyRing } from './secrets/key-ring.js';

const keys = z
  .string()
  .transform((text, context) => {
    try {
      return z.record(z.string(), z.string()).parse(JSON.parse(text));
    } catch {
      context.addIssue('must be JSON, key id -> base64 of 32 bytes');
      return z.NEVER;
    }
  })
  .describe('master keys');

const Environment = z
  .object({ ...serviceEnvironment, ...databaseEnvironment, VAULT_KEYS: keys, VAULT_ACTIVE_KEY: z.string() })
  .transform((environment, context) => {
    try {
      return { ...environment, keyRing: new KeyRing(environment.VAULT_KEYS, environment.VAULT_ACTIVE_KEY) };
    } catch (error) {
      context.addIssue({ code: 'custom', path: ['VAULT_KEYS'], message: (error as Error).message });
      return z.NEVER;
    }
  });
export type Config = z.infer<typeof Environment>;

/** Throws `ConfigError` when the environment is not complete. */
export function vaultConfig(environment: Record<string, string | undefined>): Config {
  return readConfig(Environment, environment);
}
