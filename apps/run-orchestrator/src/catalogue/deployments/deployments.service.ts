import { isDeepStrictEqual } from 'node:util';
import { neededSecrets, type WorkspaceTool } from '@agentclash/attempt-plan';
import { Handles, type Serves } from '@agentclash/bus';
import { serverSecrets } from '@agentclash/challengepack';
import {
  ContractError,
  type Deployment,
  type DeploymentSpec,
  deployments,
  type In,
  type Out,
  type SavedDeployment,
  type Tool,
} from '@agentclash/contracts';
import { readCredentialReference } from '@agentclash/domain';
import { Injectable } from '@nestjs/common';
import { isDangling, writeNamed } from '../resources/resource-errors.js';
import { UnboundSecrets } from '../resources/unbound-secrets.source.js';
import { WorkspaceResource } from '../resources/workspace-resource.js';
import { DeploymentReferences, ReferencedStores } from './deployment-references.js';
import { DeploymentsStore, OUTDATED } from './deployments.store.js';
import { unchangedVariants, variantSpecs } from './variant-specs.js';

type ModelConfig = Extract<DeploymentSpec, { kind: 'model' }>['config'];

/** The secrets that a deployment uses: its credential, and those of its tools. */
@Injectable()
export class DeploymentSecrets {
  constructor(private readonly stores: ReferencedStores) {}

  async of(workspaceId: string, spec: DeploymentSpec): Promise<string[]> {
    if (spec.kind === 'endpoint') return credentialKeys(spec.config.credential_reference);
    if (spec.kind === 'scripted') return [];
    const ofServers = serverSecrets(spec.config.mcp_servers ?? []);
    if (spec.kind === 'program')
      return [...ofServers, ...(await this.ofAliases(workspaceId, Object.values(spec.config.models ?? {})))];
    const account = await this.accountOf(workspaceId, spec.config);
    return [
      ...ofServers,
      ...credentialKeys(account?.credential_reference),
      ...(await this.ofTools(workspaceId, spec.config)),
    ];
  }

  private async ofAliases(workspaceId: string, names: string[]): Promise<string[]> {
    const aliases = await this.stores.aliases.named(workspaceId, names);
    const accounts = await Promise.all(
      aliases.map(({ provider_account_id: id }) => this.stores.accounts.find(workspaceId, id)),
    );
    return accounts.flatMap((account) => credentialKeys(account?.credential_reference));
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

@Handles(deployments)
export class DeploymentsService
  extends WorkspaceResource<'deployment', Deployment, DeploymentsStore>
  implements Serves<typeof deployments>
{
  constructor(
    store: DeploymentsStore,
    private readonly references: DeploymentReferences,
    private readonly secrets: DeploymentSecrets,
    private readonly unbound: UnboundSecrets,
  ) {
    super({ key: 'deployment', noun: 'deployment' }, store);
  }

  async create({ workspace_id, spec, actor }: In<typeof deployments.create>): Promise<SavedDeployment> {
    const references = await this.references.of(workspace_id, spec);
    const deployment = { workspaceId: workspace_id, spec, references, actor };
    const created = await written(spec, () => this.store.create(deployment));
    return await this.withWarnings(workspace_id, spec, created);
  }

  async update(request: In<typeof deployments.update>): Promise<Out<typeof deployments.update>> {
    const { workspace_id, spec, actor } = request;
    const deployment = await this.get(request);
    if (deployment.status === 'archived') {
      throw new ContractError(
        'conflict',
        `The deployment "${deployment.name}" is archived: create a new one.`,
      );
    }
    if (isUnchanged(deployment, spec)) {
      return { applied: 'unchanged', deployment: await this.withWarnings(workspace_id, spec, deployment) };
    }
    const references = await this.references.of(workspace_id, spec);
    const revision = { deployment, spec, references, actor };
    const revised = await written(spec, () => this.store.revise(revision));
    if (revised === OUTDATED) {
      throw new ContractError(
        'conflict',
        `The deployment "${deployment.name}" was just changed by another. Try again.`,
      );
    }
    return { applied: 'revised', deployment: await this.withWarnings(workspace_id, spec, revised) };
  }

  private async withWarnings(
    workspaceId: string,
    spec: DeploymentSpec,
    deployment: Deployment,
  ): Promise<SavedDeployment> {
    const all = [spec, ...variantSpecs(spec).map(([, variant]) => variant)];
    const keys = await Promise.all(all.map((each) => this.secrets.of(workspaceId, each)));
    const unbound = await this.unbound.warnings(workspaceId, [...new Set(keys.flat())]);
    const warnings = [...unchangedVariants(spec), ...unbound];
    return warnings.length === 0 ? deployment : { ...deployment, warnings };
  }

  protected override filterOf({ status }: In<typeof deployments.list>): object {
    return status === undefined ? {} : { status };
  }

  /** Idempotent. */
  async archive(request: In<typeof deployments.archive>): Promise<Deployment> {
    const deployment = await this.get(request);
    return deployment.status === 'archived' ? deployment : await this.store.archive(deployment.id);
  }
}

function isUnchanged(deployment: Deployment, spec: DeploymentSpec): boolean {
  const { name, kind, runtime_profile_id, config, variants, baseline } = deployment;
  const before = { name, kind, runtime_profile_id, config, ...(variants && { variants, baseline }) };
  return isDeepStrictEqual(before, { ...spec, runtime_profile_id: spec.runtime_profile_id ?? null });
}

async function written<T>({ name }: DeploymentSpec, write: () => Promise<T>): Promise<T> {
  try {
    return await writeNamed('an active deployment', name, write);
  } catch (error) {
    if (!isDangling(error)) throw error;
    throw new ContractError(
      'conflict',
      'A resource that the deployment refers to was just removed by another user.',
    );
  }
}
