import { type EgressSettings, parseEgressSettings } from '@agentclash/egress';
import {
  BlobEnvironment,
  databaseEnvironment,
  integer,
  readConfig,
  serviceEnvironment,
} from '@agentclash/service-kit';
import { z } from 'zod';

const Environment = BlobEnvironment.and(
  z
    .object({
      ...serviceEnvironment,
      ...databaseEnvironment,
      DATABASE_CONNECTIONS_MAX: integer(1, 100).prefault('10'),
      /** How often what was lost is looked for. */
      RECONCILE_MS: integer(100, 60_000).prefault('2000'),
      /** How long a lease lasts without being renewed. */
      LEASE_MS: integer(1_000, 600_000).prefault('45000'),
      /** How long a slot for a model's call lasts without being renewed. */
      SLOT_LEASE_MS: integer(1_000, 600_000).prefault('30000'),
      /** Whether credentials may be read from the environment of the processes that call providers. */
      CREDENTIALS_ENV: z.enum(['allow', 'deny']).default('deny'),
      EGRESS_PRIVATE: z.string().optional(),
      EGRESS_DENY: z.string().optional(),
      EGRESS_PORTS: z.string().optional(),
      OPERATOR_UNLOCK: z.string().optional(),
    })
    .transform((environment, context): typeof environment & { egress: EgressSettings } => {
      try {
        return { ...environment, egress: parseEgressSettings(environment) };
      } catch (error) {
        context.addIssue({ code: 'custom', path: ['EGRESS'], message: (error as Error).message });
        return z.NEVER;
      }
    }),
);
export type Config = z.infer<typeof Environment>;

/** Throws `ConfigError` when the environment is not complete. */
export function orchestratorConfig(environment: Record<string, string | undefined>): Config {
  return readConfig(Environment, environment);
}
