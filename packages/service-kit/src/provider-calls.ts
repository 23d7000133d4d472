import { CREDENTIALS_ENV_CHOICES, type CredentialsEnvChoice } from '@agentclash/domain';
import { type EgressSettings, parseEgressSettings } from '@agentclash/egress';
import { z } from 'zod';

/** The environment of services that call providers or endpoints, or check their addresses. */
export const ProviderCallsEnvironment = z
  .object({
    /** The permission of credentials in environment variables of the calling process (`env://NAME`). */
    CREDENTIALS_ENV: z.enum(CREDENTIALS_ENV_CHOICES).default('deny'),
    EGRESS_PRIVATE: z.string().optional(),
    EGRESS_DENY: z.string().optional(),
    EGRESS_PORTS: z.string().optional(),
    OPERATOR_UNLOCK: z.string().optional(),
  })
  .transform((environment, context): { CREDENTIALS_ENV: CredentialsEnvChoice; egress: EgressSettings } => {
    const { CREDENTIALS_ENV, ...settings } = environment;
    try {
      return { CREDENTIALS_ENV, egress: parseEgressSettings(settings) };
    } catch (error) {
      context.addIssue({ code: 'custom', path: ['EGRESS'], message: (error as Error).message });
      return z.NEVER;
    }
  });

/** Reads one variable that may be a credential. */
export type ReadVariable = (name: string) => string | undefined;

const OWN_VARIABLES =
  /^(AWS|BLOB|DATABASE|E2B|NATS|OPERATOR|OTEL|S3|SANDBOX|VAULT)_|^(BOOTSTRAP_ADMIN_TOKEN_SHA256|URL_SIGNING_KEY)$/;

/**
 * Reads the variables that credentials may name. Variables that configure a service are excluded: a credential must not
 * expose a service's own passwords. Undefined where the operator forbids credentials from the environment.
 */
export function credentialVariables(
  environment: Readonly<Record<string, string | undefined>>,
  { CREDENTIALS_ENV }: { CREDENTIALS_ENV: CredentialsEnvChoice },
): ReadVariable | undefined {
  if (CREDENTIALS_ENV === 'deny') return undefined;
  return (name) => (OWN_VARIABLES.test(name) ? undefined : environment[name]);
}
