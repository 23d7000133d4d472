import { homedir } from 'node:os';
import path from 'node:path';

/** The environment this package looks at; the only place that reads it. */
export const environment = {
  configFolder: path.join(process.env.XDG_CONFIG_HOME || path.join(homedir(), '.config'), 'agentclash'),
  /** For the commands that are run on the user's behalf. */
  inherited: process.env,
  /** Operator settings that are handed to the services. */
  settings: pick([
    'SANDBOX_PROVIDER',
    'SANDBOX_MAX_CONCURRENT',
    'EGRESS_PRIVATE',
    'EGRESS_DENY',
    'EGRESS_PORTS',
    'OPERATOR_UNLOCK',
    'CREDENTIALS_ENV',
  ]),
};

function pick(names: string[]): Record<string, string> {
  const found = names.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(found.flatMap(([name, value]) => (value ? [[name, value] as const] : [])));
}
