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
      /** Attempts scored at once by this instance. */
      SCORING_CONCURRENCY: integer(1, 64).prefault('4'),
      /** Threads that grade, and the memory each may take. */
      SCORING_THREADS: integer(1, 64).prefault('2'),
      SCORING_THREAD_MIB: integer(64, 16_384).prefault('512'),
      /** Whether credentials of judges may be variables of this process (`env://NAME`). */
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
export type Config = z.infer<typeof Environment> & {
  /** A variable that may be a credential; absent where the operator forbids that. */
  readVariable: ((name: string) => string | undefined) | undefined;
};

/** A credential must not be able to name our own passwords. */
const OWN_VARIABLES = /^(NATS|BLOB|DATABASE|VAULT|OPERATOR|S3|AWS)_/;

/** Throws `ConfigError` when the environment is not complete. */
export function scoringConfig(environment: Record<string, string | undefined>): Config {
  const config = readConfig(Environment, environment);
  const readVariable = (name: string) => (OWN_VARIABLES.test(name) ? undefined : environment[name]);
  return { ...config, readVariable: config.CREDENTIALS_ENV === 'allow' ? readVariable : undefined };
}
