import {
  BlobEnvironment,
  databaseEnvironment,
  readConfig,
  serviceEnvironment,
  sweepEnvironment,
} from '@agentclash/service-kit';
import { z } from 'zod';

/** All environment variables of the service. */
export const Environment = BlobEnvironment.and(
  z.object({
    ...serviceEnvironment,
    ...databaseEnvironment,
    ...sweepEnvironment,
  }),
);
export type Config = z.infer<typeof Environment>;

/** Throws `ConfigError` for an invalid environment. */
export function registryConfig(environment: Record<string, string | undefined>): Config {
  return readConfig(Environment, environment);
}
