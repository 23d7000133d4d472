import {
  BlobEnvironment,
  databaseEnvironment,
  readConfig,
  serviceEnvironment,
  sweepEnvironment,
} from '@agentclash/service-kit';
import { z } from 'zod';

/** What the service reads of its environment; all of it. */
export const Environment = BlobEnvironment.and(
  z.object({
    ...serviceEnvironment,
    ...databaseEnvironment,
    ...sweepEnvironment,
  }),
);
export type Config = z.infer<typeof Environment>;

/** Throws `ConfigError` when the environment is not complete. */
export function registryConfig(environment: Record<string, string | undefined>): Config {
  return readConfig(Environment, environment);
}
