import {
  BlobEnvironment,
  databaseEnvironment,
  integer,
  ProviderCallsEnvironment,
  readConfig,
  serviceEnvironment,
} from '@agentclash/service-kit';
import { z } from 'zod';

/** What the service reads of its environment; all of it. */
export const Environment = BlobEnvironment.and(ProviderCallsEnvironment).and(
  z.object({
    ...serviceEnvironment,
    ...databaseEnvironment,
    DATABASE_CONNECTIONS_MAX: integer(1, 100).prefault('10'),
    /** NATS servers that keep each stream: 3 on a cluster of three. */
    NATS_STREAM_REPLICAS: integer(1, 5).prefault('1'),
    /** Attempts of all runs of one workspace that are at work at once; absent: as many as its runs ask for. */
    WORKSPACE_MAX_CONCURRENT: integer(1, 100_000).optional(),
    /** How often what was lost is looked for. */
    RECONCILE_MS: integer(100, 60_000).prefault('2000'),
    /** Stored bytes that nothing refers to are kept so long: an upload may be about to refer to them. */
    BLOB_GRACE_MINUTES: integer(0, 100_000).prefault('1440'),
    /** How long a lease lasts without being renewed. */
    LEASE_MS: integer(1_000, 600_000).prefault('45000'),
    /** How long a slot for a model's call lasts without being renewed. */
    SLOT_LEASE_MS: integer(1_000, 600_000).prefault('30000'),
  }),
);
export type Config = z.infer<typeof Environment>;

/** Throws `ConfigError` when the environment is not complete. */
export function orchestratorConfig(environment: Record<string, string | undefined>): Config {
  return readConfig(Environment, environment);
}
