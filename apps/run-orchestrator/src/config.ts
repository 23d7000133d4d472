import { RETENTION_DAYS_MAX } from '@agentclash/contracts';
import {
  BlobEnvironment,
  databaseEnvironment,
  integer,
  ProviderCallsEnvironment,
  readConfig,
  serviceEnvironment,
  sweepEnvironment,
} from '@agentclash/service-kit';
import { z } from 'zod';

/** All environment variables of the service. */
export const Environment = BlobEnvironment.and(ProviderCallsEnvironment).and(
  z.object({
    ...serviceEnvironment,
    ...databaseEnvironment,
    DATABASE_CONNECTIONS_MAX: integer(1, 100).prefault('10'),
    /** NATS servers that keep each stream: 3 on a cluster of three. */
    NATS_STREAM_REPLICAS: integer(1, 5).prefault('1'),
    /** Attempts in flight of all runs of one workspace; absent: limited by each run alone. */
    WORKSPACE_MAX_CONCURRENT: integer(1, 100_000).optional(),
    /** How often what was lost is looked for. */
    RECONCILE_MS: integer(100, 60_000).prefault('2000'),
    ...sweepEnvironment,
    /** Runs that ended so many days ago are deleted, where their workspace has decided nothing else; absent: never. */
    RETENTION_DAYS: integer(1, RETENTION_DAYS_MAX).optional(),
    /** Stored evidence of one workspace beyond which no run is created (100 GiB); 0: no limit. */
    WORKSPACE_EVIDENCE_BYTES_MAX: integer(0, Number.MAX_SAFE_INTEGER).prefault('107374182400'),
    /** The address of the web app, which webhooks name; absent: they name the path of a run alone. */
    PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .transform((url) => url.replace(/\/+$/, ''))
      .optional(),
    /** The pause after the first failed attempt of a delivery to a webhook; it doubles with each, up to an hour. */
    WEBHOOK_RETRY_MS: integer(10, 3_600_000).prefault('5000'),
    /** How long a delivery to a webhook is attempted again before it has failed (a day). */
    WEBHOOK_RETRY_SECONDS_MAX: integer(1, 604_800).prefault('86400'),
    /** Duration of a lease without renewal. */
    LEASE_MS: integer(1_000, 600_000).prefault('45000'),
    /** Duration of a slot for a model's call without renewal. */
    SLOT_LEASE_MS: integer(1_000, 600_000).prefault('30000'),
  }),
);
export type Config = z.infer<typeof Environment>;

/** Throws `ConfigError` when the environment is not complete. */
export function orchestratorConfig(environment: Record<string, string | undefined>): Config {
  return readConfig(Environment, environment);
}
