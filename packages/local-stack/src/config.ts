import { availableParallelism, homedir, totalmem } from 'node:os';
import path from 'node:path';

/** The environment this package looks at; the only place that reads it. */
export const environment = {
  configFolder: path.join(process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'agentclash'),
  /** For the commands that are run on the user's behalf. */
  inherited: process.env,
  /** Operator settings that are handed to the services. */
  settings: matching(
    /^(AGENT_PACKAGES_(CLAIM|CLAIM_PATH|DIR|REGISTRY|TOKEN)|ATTEMPT_EVENTS_MAX|BODIES_MAX|BODY_SECONDS_MAX|CONNECTIONS_MAX|CORS_ORIGINS|CREDENTIALS_ENV|OIDC_ISSUERS|OPERATOR_UNLOCK|RETENTION_DAYS|STREAM_CHECK_SECONDS|VAULT_AUDIT_DAYS|((RUN|INVALID_TOKEN)_)?RATE_LIMIT|BLOB_(GRACE|SWEEP)_MINUTES|DOCKER_(CERT_PATH|HOST|TLS_VERIFY)|WORKSPACE_(EVIDENCE_BYTES_MAX|MAX_CONCURRENT)|(E2B|EGRESS|METRICS|PROMPTS|SANDBOX)_\w+)$/,
  ),
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

function matching(names: RegExp): Record<string, string> {
  const found = Object.entries(process.env);
  return Object.fromEntries(
    found.flatMap(([name, value]) => (value && names.test(name) ? [[name, value] as const] : [])),
  );
}
