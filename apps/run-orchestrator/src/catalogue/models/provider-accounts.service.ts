import { Handles, type Serves } from '@agentclash/bus';
import {
  type In,
  type ModelCallReport,
  type ProviderAccount,
  type ProviderAccountSpec,
  providerAccounts,
} from '@agentclash/contracts';
import { OperatorSettings } from '../resources/operator-settings.js';
import { refuseInvalid } from '../resources/resource-errors.js';
import { EditableResource } from '../resources/workspace-resource.js';
import { accountProblems, type StoredAccountSpec, withCanonicalProvider } from './account-rules.js';
import { AccountTests } from './account-tests.service.js';
import { ProviderAccountsStore } from './provider-accounts.store.js';

@Handles(providerAccounts)
export class ProviderAccountsService
  extends EditableResource<
    'provider_account',
    ProviderAccount,
    ProviderAccountSpec,
    ProviderAccountsStore,
    StoredAccountSpec
  >
  implements Serves<typeof providerAccounts>
{
  constructor(
    store: ProviderAccountsStore,
    private readonly tests: AccountTests,
    private readonly operator: OperatorSettings,
  ) {
    super({ key: 'provider_account', noun: 'provider account' }, store);
  }

  async test(request: In<typeof providerAccounts.test>): Promise<ModelCallReport> {
    return await this.tests.run(request.workspace_id, await this.get(request), request.model);
  }

  protected override normalize(spec: ProviderAccountSpec): StoredAccountSpec {
    return withCanonicalProvider(spec);
  }

  protected override async check(_workspaceId: string, spec: StoredAccountSpec): Promise<void> {
    refuseInvalid('The provider account', [
      ...accountProblems(spec),
      ...this.operator.credentialProblems(spec.credential_reference, 'credential_reference'),
      ...(await this.operator.baseUrlProblems(spec.base_url, 'base_url', spec.credential_reference)),
    ]);
  }
}
