import {
  BlobEnvironment,
  credentialVariables,
  databaseEnvironment,
  integer,
  ProviderCallsEnvironment,
  type ReadVariable,
  readConfig,
  serviceEnvironment,
} from '@agentclash/service-kit';
import { z } from 'zod';

/** All environment variables of the service. */
export const Environment = BlobEnvironment.and(ProviderCallsEnvironment).and(
  z.object({
    ...serviceEnvironment,
    ...databaseEnvironment,
    /** Attempts scored at once by this instance. */
    SCORING_CONCURRENCY: integer(1, 64).prefault('4'),
    /** Threads that grade, and the memory each may take. */
    SCORING_THREADS: integer(1, 64).prefault('2'),
    SCORING_THREAD_MIB: integer(64, 16_384).prefault('512'),
  }),
);
export type Config = z.infer<typeof Environment> & {
  /** A variable that may be a credential; absent where the operator forbids that. */
  readVariable: ReadVariable | undefined;
};

/** Throws `ConfigError` when the environment is not complete. */
export function scoringConfig(environment: Record<string, string | undefined>): Config {
  const config = readConfig(Environment, environment);
  return { ...config, readVariable: credentialVariables(environment, config) };
}
