import { hostname } from 'node:os';
import { SANDBOX_DEFAULTS, SandboxEnvironment, sandboxesMax } from '@agentclash/sandbox';
import {
  BlobEnvironment,
  credentialVariables,
  integer,
  newId,
  ProviderCallsEnvironment,
  type ReadVariable,
  readConfig,
  serviceEnvironment,
} from '@agentclash/service-kit';
import { z } from 'zod';

/** Twice the attempts in flight of one run, so that another run always has capacity. */
const PROMPTS = 512;

/** All environment variables of the service. */
export const Environment = BlobEnvironment.and(ProviderCallsEnvironment)
  .and(SandboxEnvironment)
  .and(
    z.object({
      ...serviceEnvironment,
      /** Attempts driven at once by this instance. */
      SANDBOX_MAX_CONCURRENT: integer(1, 1_000).prefault(String(sandboxesMax())),
      /** CPUs for tests of verifiers; default: the cores where sandboxes run on this machine, else no limit. */
      SANDBOX_CPU_SLOTS: integer(1, 1_000).optional(),
      /** How many times its own length a time limit is extended by starvation of CPU, at most. */
      SANDBOX_STARVATION_MAX: integer(1, 1_000).prefault(String(SANDBOX_DEFAULTS.starvationMax)),
      /** Attempts without a sandbox that are driven at once by this instance, beside the others. */
      PROMPTS_MAX_CONCURRENT: integer(1, 10_000).prefault(String(PROMPTS)),
      /** Audits of packs that are run at once by this instance; all of them together use a quarter of its sandboxes. */
      AUDITS_MAX_CONCURRENT: integer(1, 100).prefault('2'),
      /** Seconds that one audit may take; then it ends as incomplete. */
      AUDIT_TIMEOUT_SECONDS: integer(1, 86_400).prefault('900'),
      /** Events of one attempt, without those of staged files; then it ends as `limit_reached`. */
      ATTEMPT_EVENTS_MAX: integer(100, 1_000_000).prefault('20000'),
      /** The npm registry that has packages of coding agents. */
      AGENT_PACKAGES_REGISTRY: z.url({ protocol: /^https?$/ }).prefault('https://registry.npmjs.org'),
      /** Bearer token of that registry. */
      AGENT_PACKAGES_TOKEN: z.string().min(1).optional(),
      EXECUTOR_ID: z
        .string()
        .min(1)
        .max(200)
        .prefault(`${hostname()}-${process.pid}-${newId().slice(-8)}`),
    }),
  );
export type Config = z.infer<typeof Environment> & {
  /** A variable that may be a credential; absent where the operator forbids that. */
  readVariable: ReadVariable | undefined;
};

/** Throws `ConfigError` when the environment is not complete. */
export function executorConfig(environment: Record<string, string | undefined>): Config {
  const config = readConfig(Environment, environment);
  return { ...config, readVariable: credentialVariables(environment, config) };
}
