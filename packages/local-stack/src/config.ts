import { homedir } from 'node:os';
import path from 'node:path';

/** The environment this package looks at; the only place that reads it. */
export const environment = {
  configFolder: path.join(process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'agentclash'),
  /** For the commands that are run on the user's behalf. */
  inherited: process.env,
  /** Operator settings that are handed to the services. */
  settings: matching(
    /^(CORS_ORIGINS|CREDENTIALS_ENV|OIDC_ISSUERS|OPERATOR_UNLOCK|(RUN_)?RATE_LIMIT|WORKSPACE_MAX_CONCURRENT|(E2B|EGRESS|METRICS|PROMPTS|SANDBOX)_\w+)$/,
  ),
};

function matching(names: RegExp): Record<string, string> {
  const found = Object.entries(process.env);
  return Object.fromEntries(
    found.flatMap(([name, value]) => (value && names.test(name) ? [[name, value] as const] : [])),
  );
}
