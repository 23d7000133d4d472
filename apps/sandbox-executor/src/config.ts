import { availableParallelism, hostname } from 'node:os';
import { type EgressSettings, parseEgressSettings } from '@agentclash/egress';
import { SandboxEnvironment } from '@agentclash/sandbox';
import { BlobEnvironment, integer, newId, readConfig, serviceEnvironment } from '@agentclash/service-kit';
import { z } from 'zod';

const SANDBOXES_PER_CORE = 2;

const Environment = BlobEnvironment.and(SandboxEnvironment).and(
  z
    .object({
      ...serviceEnvironment,
      /** Attempts driven at once by this instance. */
      SANDBOX_MAX_CONCURRENT: integer(1, 1_000).prefault(String(SANDBOXES_PER_CORE * availableParallelism())),
      EXECUTOR_ID: z
        .string()
        .min(1)
        .max(200)
        .prefault(`${hostname()}-${process.pid}-${newId().slice(-8)}`),
      /** Whether credentials may be variables of this process (`env://NAME`). */
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
  /** Any variable but those that configure us: a credential must not be able to name our own passwords. */
  readVariable: (name: string) => string | undefined;
};

const OWN_VARIABLES =
  /^(AWS|BLOB|DATABASE|E2B|NATS|OPERATOR|S3|SANDBOX|VAULT)_|^(BOOTSTRAP_ADMIN_TOKEN_SHA256|URL_SIGNING_KEY)$/;

/** Throws `ConfigError` when the environment is not complete. */
export function executorConfig(environment: Record<string, string | undefined>): Config {
  const readVariable = (name: string) => (OWN_VARIABLES.test(name) ? undefined : environment[name]);
  return { ...readConfig(Environment, environment), readVariable };
}
