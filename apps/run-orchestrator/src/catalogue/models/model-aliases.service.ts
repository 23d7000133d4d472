import { Handles, type Serves } from '@agentclash/bus';
import { type ModelAlias, type ModelAliasSpec, modelAliases } from '@agentclash/contracts';
import { unknownReference } from '../resources/resource-errors.js';
import { EditableResource } from '../resources/workspace-resource.js';
import { ModelAliasesStore } from './model-aliases.store.js';
import { ProviderAccountsStore } from './provider-accounts.store.js';

@Handles(modelAliases)
export class ModelAliasesService
  extends EditableResource<'model_alias', ModelAlias, ModelAliasSpec, ModelAliasesStore>
  implements Serves<typeof modelAliases>
{
  constructor(
    store: ModelAliasesStore,
    private readonly accounts: ProviderAccountsStore,
  ) {
    super({ key: 'model_alias', noun: 'model alias' }, store);
  }

  protected override async check(workspaceId: string, spec: ModelAliasSpec): Promise<void> {
    if (!(await this.accounts.find(workspaceId, spec.provider_account_id))) this.referenceGone(spec);
  }

  protected override referenceGone({ provider_account_id: id }: ModelAliasSpec): never {
    return unknownReference(
      `There is no provider account ${id}.`,
      'provider_account_id',
      'names no provider account',
    );
  }
}
