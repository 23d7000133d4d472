import { Bus } from '@agentclash/bus';
import {
  type Applied,
  ContractError,
  type ProviderAccount,
  type ProviderAccountRequest,
  ProviderAccountSpec,
  providerAccounts,
  vault,
} from '@agentclash/contracts';
import { SECRET_SCHEME } from '@agentclash/domain';
import { originOfProvider } from '@agentclash/models/addresses';
import { LOGGER, type Logger, newId } from '@agentclash/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';

/** An account, and the actor that changes it. */
interface AccountAddress {
  workspaceId: string;
  accountId: string;
  actor: string;
}

/**
 * Stores accounts and the keys that were given with them. The account is always written before its key, and a
 * partial change is rolled back: no key remains without an account.
 */
@Injectable()
export class ProviderAccountsService {
  constructor(
    private readonly bus: Bus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async create(
    { workspaceId: workspace_id, actor }: Omit<AccountAddress, 'accountId'>,
    request: ProviderAccountRequest,
  ): Promise<ProviderAccount> {
    const id = newId();
    const at = { workspaceId: workspace_id, accountId: id, actor };
    const spec = withReference(id, request);
    const create = () => this.bus.call(providerAccounts.create, { workspace_id, id, spec, actor });
    if (request.api_key === undefined) return await create();
    const hosts = ownHosts(request);
    try {
      const account = await create();
      await this.storeKey(at, { apiKey: request.api_key, hosts });
      return account;
    } catch (error) {
      const removed = this.bus.call(providerAccounts.remove, { workspace_id, provider_account_id: id });
      await this.rollBack(at, removed, this.deleteKey(at));
      throw error;
    }
  }

  /** A failed update leaves the account as it was. */
  async update(
    at: AccountAddress,
    request: ProviderAccountRequest,
  ): Promise<ProviderAccount & { applied: z.infer<typeof Applied> }> {
    const { workspaceId: workspace_id, accountId: provider_account_id, actor } = at;
    const spec = withReference(provider_account_id, request);
    const replace = (next: ProviderAccountSpec) =>
      this.bus.call(providerAccounts.update, { workspace_id, provider_account_id, spec: next, actor });
    const hosts = request.api_key === undefined ? [] : ownHosts(request);
    const before = await this.bus.call(providerAccounts.get, { workspace_id, provider_account_id });
    if (request.api_key === undefined) {
      const own = ownReference(provider_account_id);
      const keepsKey = spec.credential_reference === own;
      if (keepsKey && before.credential_reference === own) refuseMove(before, spec);
      const { applied, provider_account } = await replace(spec);
      if (!keepsKey) await this.deleteKey(at);
      return { ...provider_account, applied };
    }
    const { provider_account } = await replace(spec);
    try {
      await this.storeKey(at, { apiKey: request.api_key, hosts });
    } catch (error) {
      await this.rollBack(at, replace(ProviderAccountSpec.strip().parse(before)));
      throw error;
    }
    // The stored key cannot be compared with the new one.
    return { ...provider_account, applied: 'revised' };
  }

  /** Repeated after a failure, it removes the rest. */
  async remove(at: AccountAddress): Promise<void> {
    const { workspaceId: workspace_id, accountId: provider_account_id } = at;
    const missing = await notFoundErrorOf(
      this.bus.call(providerAccounts.remove, { workspace_id, provider_account_id }),
    );
    await this.deleteKey(at);
    if (missing !== undefined) throw missing;
  }

  /** Bound to the account's origin: a pack that names the secret could send it anywhere else. */
  private async storeKey(
    { workspaceId, accountId, actor }: AccountAddress,
    { apiKey, hosts }: { apiKey: string; hosts: string[] },
  ): Promise<void> {
    await this.bus.call(vault.set, {
      workspace_id: workspaceId,
      key: ownKey(accountId),
      value_base64: Buffer.from(apiKey).toString('base64'),
      hosts,
      actor,
    });
  }

  private async deleteKey({ workspaceId, accountId, actor }: AccountAddress): Promise<void> {
    const key = ownKey(accountId);
    await notFoundErrorOf(this.bus.call(vault.remove, { workspace_id: workspaceId, key, actor }));
  }

  private async rollBack({ accountId }: AccountAddress, ...undoing: Promise<unknown>[]): Promise<void> {
    for (const undone of await Promise.allSettled(undoing.map(notFoundErrorOf))) {
      if (undone.status === 'fulfilled') continue;
      this.logger.warn(
        { err: undone.reason, account_id: accountId },
        'rollback of a failed account change failed',
      );
    }
  }
}

/** The `not_found` error of a call, if it fails with that. */
async function notFoundErrorOf(call: Promise<unknown>): Promise<ContractError | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (error instanceof ContractError && error.code === 'not_found') return error;
    throw error;
  }
}

const PREFIX = 'PROVIDER_ACCOUNT_';

/** The name of the secret that holds an account's own key. */
function ownKey(accountId: string): string {
  return PREFIX + accountId.replaceAll('-', '').toUpperCase();
}

function ownReference(accountId: string): string {
  return SECRET_SCHEME + ownKey(accountId);
}

/**
 * The stored spec of an account: a key given inline becomes the reference to the account's own secret. Fails with
 * `invalid_input` for two credentials, and for the key of another account.
 */
function withReference(
  accountId: string,
  { api_key, ...spec }: ProviderAccountRequest,
): Omit<ProviderAccountRequest, 'api_key'> {
  const own = ownReference(accountId);
  const { credential_reference: given } = spec;
  if (given !== undefined && given !== own) {
    if (api_key !== undefined) {
      throw refused('contradiction', 'api_key', 'is another credential than credential_reference: give one');
    }
    if (given.startsWith(SECRET_SCHEME + PREFIX)) {
      throw refused('wrong_reference', 'credential_reference', 'is the key of another account');
    }
  }
  return api_key === undefined ? spec : { ...spec, credential_reference: own };
}

type Addressed = Pick<ProviderAccountRequest, 'provider_key' | 'base_url'>;

/** The hosts of an account's own key: only the origin of the account. */
function ownHosts(account: Addressed): string[] {
  const origin = originOfProvider(account);
  if (origin !== undefined) return [origin];
  throw refused('required', 'base_url', 'is required: it is the only address that the key is sent to');
}

/** A stored key is valid for one origin. Fails with `invalid_input` when the account moves to another one. */
function refuseMove(before: Addressed, after: Addressed): void {
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
