import { databaseEnvironment, flag, integer, readConfig, serviceEnvironment } from '@agentclash/service-kit';
import { z } from 'zod';
import { KeyRing, type KeySource } from './key-ring.js';

const keys = z.string().transform((text, context) => {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch {
    context.addIssue('must be JSON, key id -> base64 of 32 bytes');
    return z.NEVER;
  }
});

/** All environment variables of the service. */
export const Environment = z
  .object({
    ...serviceEnvironment,
    ...databaseEnvironment,
    /** The master keys: here with the id of the active one, or in a file. */
    VAULT_KEYS: keys.optional(),
    VAULT_ACTIVE_KEY: z.string().optional(),
    /** `{"active": id, "keys": {id: base64 of 32 bytes}}`; read again when it changes. */
    VAULT_KEYS_FILE: z.string().optional(),
    /** True when this vault is the only user of the file and makes and drops keys in it. */
    VAULT_KEYS_FILE_MANAGED: flag.prefault('false'),
    /** How often the keys are read again and secrets under old keys looked for. */
    VAULT_KEYS_CHECK_MS: integer(10, 3_600_000).prefault('5000'),
    /** How long audit entries are kept; 0 is for ever. */
    VAULT_AUDIT_DAYS: integer(0, 36_500).prefault('365'),
  })
  .transform((environment, context) => {
    try {
      return { ...environment, keySource: keySource(environment) };
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

interface KeySettings {
  VAULT_KEYS?: Record<string, string> | undefined;
  VAULT_ACTIVE_KEY?: string | undefined;
  VAULT_KEYS_FILE?: string | undefined;
  VAULT_KEYS_FILE_MANAGED: boolean;
}

function keySource({
  VAULT_KEYS: keys,
  VAULT_ACTIVE_KEY: active,
  VAULT_KEYS_FILE: path,
  VAULT_KEYS_FILE_MANAGED: isManaged,
}: KeySettings): KeySource {
  if (keys !== undefined && path !== undefined)
    throw new Error('give the keys here or in VAULT_KEYS_FILE, not both');
  if (path !== undefined) return { kind: isManaged ? 'managed_file' : 'file', path };
  if (keys === undefined) throw new Error('the master keys are missing: set this, or VAULT_KEYS_FILE');
  if (active === undefined) throw new Error('VAULT_ACTIVE_KEY must name the active one of the keys');
  return { kind: 'environment', ring: new KeyRing(keys, active) };
}
