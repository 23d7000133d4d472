import { isDeepStrictEqual } from 'node:util';
import {
  ContractError,
  type In,
  type Out,
  type ProviderAccount,
  type providerAccounts,
} from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { cutPage, readIdCursor } from '../../page-cursor.js';
import { refuseInUse } from '../resources/in-use.js';
import { OperatorSettings } from '../resources/operator-settings.js';
import { refuseInvalid } from '../resources/problems.js';
import { NAME_TAKEN, nameTaken } from '../resources/unique-name.js';
import { accountProblems, type StoredAccountSpec, withOneSpelling } from './account-rules.js';
import { ProviderAccountsStore } from './provider-accounts.store.js';

@Injectable()
export class ProviderAccountsService {
  constructor(
    private readonly store: ProviderAccountsStore,
    private readonly operator: OperatorSettings,
  ) {}

  async create({
    workspace_id,
    id,
    spec: input,
    actor,
  }: In<typeof providerAccounts.create>): Promise<ProviderAccount> {
    const spec = withOneSpelling(input);
    await this.check(spec);
    const created = await this.store.create({ id, workspaceId: workspace_id, spec, actor });
    return created === NAME_TAKEN ? nameTaken('a provider account', spec.name) : created;
  }

  async update(request: In<typeof providerAccounts.update>): Promise<Out<typeof providerAccounts.update>> {
    const account = await this.get(request);
    const spec = withOneSpelling(request.spec);
    const { id, created_at, updated_at, ...before } = account;
    if (isDeepStrictEqual(before, spec)) return { applied: 'unchanged', provider_account: account };
    await this.check(spec);
    const replaced = await this.store.replace(id, spec, request.actor);
    if (replaced === NAME_TAKEN) return nameTaken('a provider account', spec.name);
    return { applied: 'revised', provider_account: replaced };
  }

  /** Newest first. */
  async list(request: In<typeof providerAccounts.list>): Promise<Out<typeof providerAccounts.list>> {
    const { workspace_id: workspaceId, name, limit, cursor } = request;
    const found = await this.store.list({ workspaceId, name, after: readIdCursor(cursor), take: limit + 1 });
    return cutPage(found, limit, (account) => account.id);
  }

  async get(request: In<typeof providerAccounts.get>): Promise<ProviderAccount> {
    const found = await this.store.find(request.workspace_id, request.provider_account_id);
    if (found) return found;
    throw new ContractError('not_found', `There is no provider account ${request.provider_account_id}.`);
  }

  async remove(request: In<typeof providerAccounts.remove>): Promise<void> {
    const { id, name } = await this.get(request);
    refuseInUse(`The provider account "${name}"`, await this.store.remove(id));
  }

  private async check(spec: StoredAccountSpec): Promise<void> {
    refuseInvalid('The provider account', [
      ...accountProblems(spec),
      ...this.operator.credentialProblems(spec.credential_reference, 'credential_reference'),
      ...(await this.operator.baseUrlProblems(spec.base_url, 'base_url', spec.credential_reference)),
    ]);
  }
}
