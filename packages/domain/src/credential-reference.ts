import type { CredentialsEnvChoice } from './access.js';
import { SECRET_SCHEME } from './references.js';

/** The location of a provider's or an endpoint's credential. */
type CredentialReference = { kind: 'secret'; key: string } | { kind: 'env'; name: string };

type CredentialProblem = 'wrong_reference' | 'env_reference_forbidden';

const SECRET = new RegExp(`^${SECRET_SCHEME}([A-Za-z_][A-Za-z0-9_]{0,127})$`);
const VARIABLE = /^env:\/\/([A-Za-z_][A-Za-z0-9_]*)$/;

/** Reads a `credential_reference`; a value written in its place is refused, not kept. */
export function readCredentialReference(
  text: string,
  { env }: { env: CredentialsEnvChoice },
): { reference: CredentialReference } | { problem: CredentialProblem } {
  const key = SECRET.exec(text)?.[1];
  if (key !== undefined) return { reference: { kind: 'secret', key } };
  const name = VARIABLE.exec(text)?.[1];
  if (name === undefined) return { problem: 'wrong_reference' };
  return env === 'allow' ? { reference: { kind: 'env', name } } : { problem: 'env_reference_forbidden' };
}
