import { neededSecrets, readCredentialReference, type WorkspaceTool } from '@agentclash/attempt-plan';
import type { DeploymentSpec, Tool } from '@agentclash/contracts';
import { Injectable } from '@nestjs/common';
import { ReferencedStores } from './deployment-references.js';

type ModelConfig = Extract<DeploymentSpec, { kind: 'model' }>['config'];

/** The secrets that a deployment uses: its credential, and those of its tools. */
@Injectable()
export class DeploymentSecrets {
  constructor(private readonly stores: ReferencedStores) {}

  async of(workspaceId: string, spec: DeploymentSpec): Promise<string[]> {
    if (spec.kind === 'endpoint') return credentialKeys(spec.config.credential_reference);
    if (spec.kind !== 'model') return [];
    const account = await this.accountOf(workspaceId, spec.config);
    return [
      ...credentialKeys(account?.credential_reference),
      ...(await this.ofTools(workspaceId, spec.config)),
    ];
  }

  private async accountOf(workspaceId: string, config: ModelConfig) {
    const { provider_account_id: id = await this.accountOfAlias(workspaceId, config.model_alias) } = config;
    return id === undefined ? undefined : await this.stores.accounts.find(workspaceId, id);
  }

  private async accountOfAlias(workspaceId: string, name: string | undefined): Promise<string | undefined> {
    if (name === undefined) return undefined;
    const [alias] = await this.stores.aliases.named(workspaceId, [name]);
    return alias?.provider_account_id;
  }

  private async ofTools(workspaceId: string, { tools = [] }: ModelConfig): Promise<string[]> {
    if (tools.length === 0) return [];
    const attached = new Set(tools);
    const all = await this.stores.tools.all(workspaceId);
    const workspace = all.flatMap((tool) => (attached.has(tool.id) ? [asPlanned(tool)] : []));
    return neededSecrets({ custom: [], workspace });
  }
}

function asPlanned(tool: Tool): WorkspaceTool {
  return { ...tool, attached: true, definition: tool.definition as WorkspaceTool['definition'] };
}

function credentialKeys(reference: string | undefined): string[] {
  if (reference === undefined) return [];
  const read = readCredentialReference(reference, { env: 'allow' });
  return 'reference' in read && read.reference.kind === 'secret' ? [read.reference.key] : [];
}
