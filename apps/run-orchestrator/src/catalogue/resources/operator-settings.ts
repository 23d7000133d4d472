import { readCredentialReference } from '@agentclash/attempt-plan';
import { isPlainHttpToPublicHost } from '@agentclash/challengepack';
import type { FieldProblem } from '@agentclash/contracts';
import type { EgressSettings } from '@agentclash/egress';
import { BASE_URL_PROBLEMS, baseUrlProblem } from './base-url.js';

export interface OperatorChoices {
  egress: EgressSettings;
  /** Whether credentials may be read from the environment of the processes that call providers. */
  credentialsEnv: 'allow' | 'deny';
}

const CREDENTIAL_PROBLEMS = {
  wrong_reference: 'must be workspace-secret://KEY: store the value as a secret and name it here',
  env_reference_forbidden:
    'must be workspace-secret://KEY: this installation keeps no credentials in its environment',
} as const;

const SECRET_OVER_HTTP =
  'sends the credential over plain http to a public host, where others can read it: write https';

/** What the operator lets the resources of a workspace refer to. */
export class OperatorSettings {
  constructor(private readonly choices: OperatorChoices) {}

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
