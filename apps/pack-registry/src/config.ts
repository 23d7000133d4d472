import { databaseEnvironment, readConfig, serviceEnvironment } from '@agentclash/service-kit';
import { z } from 'zod';

const Environment = z.object({
  ...serviceEnvironment,
  ...databaseEnvironment,
  /** Folder of the blob store that all services share. */
  BLOB_FOLDER: z.string(),
});
export type Config = z.infer<typeof Environment>;

/** Throws `ConfigError` when the environment is not complete. */
export function registryConfig(environment: Record<string, string | undefined>): Config {
  return readConfig(Environment, environment);
}
