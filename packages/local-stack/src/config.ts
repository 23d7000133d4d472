import { availableParallelism, homedir, totalmem } from 'node:os';
import path from 'node:path';

/** The variables of services that a user of a stack may set. The stack chooses the others, such as addresses and keys. */
const SETTINGS =
  /^(AGENT_PACKAGES_(CLAIM|CLAIM_PATH|DIR|REGISTRY|TOKEN)|ATTEMPT_EVENTS_MAX|AUDIT_TIMEOUT_SECONDS|AUDITS_MAX_CONCURRENT|BODIES_MAX|BODY_SECONDS_MAX|CONNECTIONS_MAX|CORS_ORIGINS|CREDENTIALS_ENV|OIDC_ISSUERS|OPERATOR_UNLOCK|PUBLIC_URL|RETENTION_DAYS|SHARE_DAYS_MAX|STREAMS_MAX|STREAM_CHECK_SECONDS|URL_LIFETIME_SECONDS|VAULT_AUDIT_DAYS|WEBHOOK_RETRY_(MS|SECONDS_MAX)|((RUN|INVALID_TOKEN)_)?RATE_LIMIT|BLOB_(GRACE|SWEEP)_MINUTES|DOCKER_(CERT_PATH|HOST|TLS_VERIFY)|WORKSPACE_(EVIDENCE_BYTES_MAX|MAX_CONCURRENT)|(E2B|EGRESS|METRICS|PROMPTS|SANDBOX|SCORING)_\w+)$/;

/** The environment this package looks at; the only place that reads it. */
export const environment = {
  configFolder: path.join(process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'agentclash'),
  /** For the commands that are run on the user's behalf. */
  inherited: process.env,
  /** Operator settings that are handed to the services. */
  settings: settingsIn(process.env),
};

/** A second process takes about 150 MiB more. */
const SECOND_FROM_BYTES = 4 * 1024 ** 3;

/**
 * How many processes the services of a stack share that has the machine to itself: two where there are cores and memory
 * for them. One where STACK_PROCESSES is 1, or where metrics are collected, which come from one process.
 */
export function processesHere(): 1 | 2 {
  const { METRICS_PORT, STACK_PROCESSES } = process.env;
  if (METRICS_PORT || STACK_PROCESSES === '1') return 1;
  if (STACK_PROCESSES === '2') return 2;
  return availableParallelism() > 1 && totalmem() >= SECOND_FROM_BYTES ? 2 : 1;
}

/** Those that have a value. */
export function settingsIn(variables: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value && SETTINGS.test(name) ? [[name, value] as const] : [],
    ),
  );
}
