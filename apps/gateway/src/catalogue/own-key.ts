import { ContractError, type ProviderAccountRequest } from '@agentclash/contracts';
import { originOfProvider } from '@agentclash/models/addresses';

const PREFIX = 'PROVIDER_ACCOUNT_';
const SCHEME = 'workspace-secret://';

/** The name of the secret that holds an account's own key. */
export function ownKey(accountId: string): string {
  return PREFIX + accountId.replaceAll('-', '').toUpperCase();
}

export function ownReference(accountId: string): string {
  return SCHEME + ownKey(accountId);
}

/**
 * The stored spec of an account: a key given inline becomes the reference to the account's own secret. Fails with
 * `invalid_input` for two credentials, and for the key of another account.
 */
export function withReference(
  accountId: string,
  { api_key, ...spec }: ProviderAccountRequest,
): Omit<ProviderAccountRequest, 'api_key'> {
  const own = ownReference(accountId);
  const { credential_reference: given } = spec;
  if (given !== undefined && given !== own) {
    if (api_key !== undefined) {
      throw refused('contradiction', 'api_key', 'is another credential than credential_reference: give one');
    }
    if (given.startsWith(SCHEME + PREFIX)) {
      throw refused('wrong_reference', 'credential_reference', 'is the key of another account');
    }
  }
  return api_key === undefined ? spec : { ...spec, credential_reference: own };
}

type Addressed = Pick<ProviderAccountRequest, 'provider_key' | 'base_url'>;

/** The hosts of an account's own key: only the origin of the account. */
export function ownHosts(account: Addressed): string[] {
  const origin = originOfProvider(account);
  if (origin !== undefined) return [origin];
  throw refused('required', 'base_url', 'is required: it is the only address that the key is sent to');
}

/** A stored key is valid for one origin. Fails with `invalid_input` when the account moves to another one. */
export function refuseMove(before: Addressed, after: Addressed): void {
  const [was, is] = [originOfProvider(before), originOfProvider(after)];
  if (was === is) return;
  throw refused(
    'required',
    'api_key',
    `must be given again: the stored key goes to ${was} only, not to ${is}`,
  );
}

function refused(code: string, field: string, message: string): ContractError {
  return new ContractError('invalid_input', `The provider account is not valid: ${field} ${message}.`, {
    errors: [{ code, field, message }],
  });
}
