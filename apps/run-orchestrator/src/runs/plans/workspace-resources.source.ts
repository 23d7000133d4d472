import { ModelCatalog, type WorkspaceResources } from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { ModelAliasesStore } from '../../catalogue/models/model-aliases.store.js';
import { ProviderAccountsStore } from '../../catalogue/models/provider-accounts.store.js';
import { ToolsStore } from '../../catalogue/tools/tools.store.js';

@Injectable()
export class WorkspaceResourcesSource {
  constructor(
    private readonly accounts: ProviderAccountsStore,
    private readonly aliases: ModelAliasesStore,
    private readonly tools: ToolsStore,
  ) {}

  async read(workspaceId: string): Promise<WorkspaceResources> {
    const [accounts, aliases, tools] = await Promise.all([
      this.accounts.all(workspaceId),
      this.aliases.all(workspaceId),
      this.tools.all(workspaceId),
    ]);
    return { models: new ModelCatalog(accounts, aliases), tools };
  }
}
