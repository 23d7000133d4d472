import { availableParallelism, hostname } from 'node:os';
import { SandboxEnvironment } from '@agentclash/sandbox';
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

const SANDBOXES_PER_CORE = 2;
/** They wait for models most of the time. */
const PROMPTS = 256;

/** What the service reads of its environment; all of it. */
export const Environment = BlobEnvironment.and(ProviderCallsEnvironment)
  .and(SandboxEnvironment)
  .and(
    z.object({
      ...serviceEnvironment,
      /** Attempts driven at once by this instance. */
      SANDBOX_MAX_CONCURRENT: integer(1, 1_000).prefault(String(SANDBOXES_PER_CORE * availableParallelism())),
      /** Attempts without a sandbox that are driven at once by this instance, beside the others. */
      PROMPTS_MAX_CONCURRENT: integer(1, 10_000).prefault(String(PROMPTS)),
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
