import { isPlainHttpToPublicHost } from '@agentclash/challengepack';
import type { FieldProblem } from '@agentclash/contracts';
import { type CredentialsEnvChoice, readCredentialReference } from '@agentclash/domain';
import { checkUrl, type EgressSettings, type UrlViolation } from '@agentclash/egress';

export interface OperatorChoices {
  egress: EgressSettings;
  /** The permission to read credentials from the environment of the processes that call providers. */
  credentialsEnv: CredentialsEnvChoice;
}

const CREDENTIAL_PROBLEMS = {
  wrong_reference: 'must be workspace-secret://KEY: store the value as a secret and name it here',
  env_reference_forbidden:
    'must be workspace-secret://KEY: this installation keeps no credentials in its environment',
} as const;

const SECRET_OVER_HTTP =
  'sends the credential over plain http to a public host, where others can read it: write https';

/** The limits that the operator sets to the references of a workspace's resources. */
export class OperatorSettings {
  constructor(private readonly choices: OperatorChoices) {}

  get egress(): EgressSettings {
    return this.choices.egress;
  }

  /** The key of the secret that a credential is; undefined for one of the environment. Throws for what is neither. */
  secretKeyOf(reference: string): string | undefined {
    const read = readCredentialReference(reference, { env: this.choices.credentialsEnv });
    if ('problem' in read) throw new RangeError(CREDENTIAL_PROBLEMS[read.problem]);
    return read.reference.kind === 'secret' ? read.reference.key : undefined;
  }

  credentialProblems(reference: string | undefined, field: string): FieldProblem[] {
    if (reference === undefined) return [];
    const read = readCredentialReference(reference, { env: this.choices.credentialsEnv });
    return 'problem' in read
      ? [{ code: read.problem, field, message: CREDENTIAL_PROBLEMS[read.problem] }]
      : [];
  }

  /** Of an address that requests with this credential, if any, are sent to. */
  async baseUrlProblems(
    text: string | undefined,
    field: string,
    credentialReference: string | undefined,
  ): Promise<FieldProblem[]> {
    if (text === undefined) return [];
    const problem = await baseUrlProblem(text, this.choices.egress);
    if (problem !== undefined) return [{ code: 'invalid_url', field, message: BASE_URL_PROBLEMS[problem] }];
    // The rule of a pack's tools, whose requests carry secrets too.
    const isReadable = credentialReference !== undefined && isPlainHttpToPublicHost(text);
    return isReadable ? [{ code: 'secret_over_http', field, message: SECRET_OVER_HTTP }] : [];
  }

  /** Of an address that tasks are sent to: the rules of a `base_url`, but that it may have a query. */
  async endpointUrlProblems(
    text: string,
    field: string,
    credentialReference: string | undefined,
  ): Promise<FieldProblem[]> {
    const [withoutQuery] = text.includes('#') ? [text] : text.split('?');
    return await this.baseUrlProblems(withoutQuery, field, credentialReference);
  }
}

/** The problems of an account's `base_url`, as messages for users. */
export const BASE_URL_PROBLEMS = {
  malformed: 'must be an absolute https URL such as https://models.example.com/v1',
  scheme:
    'must begin with https://, or with http:// for an address that OPERATOR_UNLOCK covers (of the machine of an embedded stack: agentclash up --allow-loopback-endpoints)',
  userinfo: 'must not hold a user name or password: put the key into a secret and name it as the credential',
  query: 'must not hold a query',
  fragment: 'must not hold a fragment',
  address:
    'names an address that this installation does not allow: see OPERATOR_UNLOCK (for the machine of an embedded stack: agentclash up --allow-loopback-endpoints)',
} as const;
export type BaseUrlProblem = keyof typeof BASE_URL_PROBLEMS;

const PROBLEM_OF_VIOLATION: Partial<Record<UrlViolation, BaseUrlProblem>> = {
  invalid_url: 'malformed',
  host: 'malformed',
  port: 'malformed',
  scheme: 'scheme',
  userinfo: 'userinfo',
};

/**
 * The problem of a `base_url`, or undefined when it may be saved. Names are not resolved here: their addresses are
 * checked at each call by the same rules.
 */
export async function baseUrlProblem(
  text: string,
  settings: EgressSettings,
): Promise<BaseUrlProblem | undefined> {
  if (/^[a-z][a-z0-9+.-]*:/i.test(text) && !/^https?:/i.test(text)) return 'scheme';
  if (!URL.canParse(text)) return 'malformed';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'userinfo';
  if (text.includes('#')) return 'fragment';
  if (text.includes('?')) return 'query';
  const verdict = await checkUrl(text, {
    policy: { kind: 'operator', plainHttp: 'unlocked' },
    settings,
    resolve: async () => [],
  });
  if (verdict.allowed) return undefined;
  if (verdict.reason !== 'dns_failed') return PROBLEM_OF_VIOLATION[verdict.reason] ?? 'address';
  return url.protocol === 'http:' && settings.operatorUnlock.length === 0 ? 'scheme' : undefined;
}
