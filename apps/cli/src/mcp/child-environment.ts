import type { Settings } from '../session/settings.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The settings of this program and of sandboxes, and what a process of the machine needs. An agent that can write a
 * deployment file could send any other variable to a server of its choice: it is not there.
 */
const KEPT =
  /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|NODE_EXTRA_CA_CERTS|KUBECONFIG|(XDG|AGENTCLASH|SANDBOX|AGENT_PACKAGES|EGRESS|DOCKER)_\w+|OPERATOR_UNLOCK|KUBERNETES_SERVICE_\w+)$/i;
const CREDENTIAL = /(TOKEN|PASSWORD|SECRET|API_KEY)$/;

/** The variables of commands that run what a file describes: no credential but the named ones. */
export function environmentOfFiles(variables: Variables, secrets: readonly string[]): Record<string, string> {
  return chosen(variables, (name) => secrets.includes(name) || (KEPT.test(name) && !CREDENTIAL.test(name)));
}

/** The variables of commands that call the server, with what the options of this command name. */
export function environmentOfServer(
  variables: Variables,
  {
    api_url,
    token,
    workspace,
  }: { api_url?: string | undefined; token?: string | undefined; workspace?: string | undefined },
): Record<string, string> {
  return {
    ...chosen(variables, (name) => KEPT.test(name)),
    ...(api_url !== undefined && { AGENTCLASH_API_URL: api_url }),
    ...(token !== undefined && { AGENTCLASH_TOKEN: token }),
    ...(workspace !== undefined && { AGENTCLASH_WORKSPACE: workspace }),
  };
}

/** The values that no reply may have. */
export function secretValuesOf(
  variables: Variables,
  settings: Pick<Settings, 'token' | 'withheldToken' | 'operatorToken'>,
  named: readonly string[],
): { key: string; value: string }[] {
  const { token, withheldToken, operatorToken } = settings;
  const values = [
    ['token', token?.value],
    ['token', withheldToken?.value],
    ['operator-token', operatorToken?.value],
    ...Object.entries(variables).filter(([name]) => named.includes(name) || CREDENTIAL.test(name)),
  ] as const;
  return values.flatMap(([key, value]) =>
    value === undefined || value.length < CHARACTERS_MIN ? [] : [{ key, value }],
  );
}

/** Shorter values occur by chance in every text. */
const CHARACTERS_MIN = 6;

function chosen(variables: Variables, isKept: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value !== undefined && isKept(name) ? [[name, value] as const] : [],
    ),
  );
}
