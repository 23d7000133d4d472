import { PROGRAM_FILES_BYTES_MAX } from '@agentclash/attempt-plan';
import { Bus } from '@agentclash/bus';
import {
  artifacts,
  type DeploymentSpec,
  type FieldProblem,
  type McpServer,
  type ModelAlias,
} from '@agentclash/contracts';
import {
  presetModelProblems,
  presetNameProblems,
  presetProtocolProblems,
  presetSkillsProblems,
} from '@agentclash/run-rules';
import { Injectable } from '@nestjs/common';
import { ModelAliasesStore } from '../models/model-aliases.store.js';
import { ProviderAccountsStore } from '../models/provider-accounts.store.js';
import { ProfilesStore } from '../profiles/profiles.store.js';
import { OperatorSettings } from '../resources/operator-settings.js';
import { refuseInvalid, unknownReference } from '../resources/resource-errors.js';
import { SchemaChecks } from '../schemas/schema-checks.js';
import { ToolsStore } from '../tools/tools.store.js';
import type { References } from './deployments.store.js';
import { commandProblems, environmentProblems, headerProblems } from './literal-values.js';
import { mcpServerProblems } from './mcp-server-rules.js';
import { errorOfVariant, variantSpecs } from './variant-specs.js';

const MIB = 1024 * 1024;
/** Files of one program, those of its skills included; so many also fit into one request. */
const FILES_MAX = 1_000;

type SpecOf<Kind extends DeploymentSpec['kind']> = Extract<DeploymentSpec, { kind: Kind }>;

/** Finds what a spec of one kind refers to, and refuses what is not there or not allowed. */
type Check<Kind extends DeploymentSpec['kind']> = (
  workspaceId: string,
  config: SpecOf<Kind>['config'],
) => Promise<Partial<References>>;

/** Stores in which references are looked up. */
@Injectable()
export class ReferencedStores {
  constructor(
    readonly profiles: ProfilesStore,
    readonly accounts: ProviderAccountsStore,
    readonly aliases: ModelAliasesStore,
    readonly tools: ToolsStore,
  ) {}
}

@Injectable()
export class DeploymentReferences {
  private readonly checks: { [Kind in DeploymentSpec['kind']]: Check<Kind> } = {
    model: (workspaceId, config) => this.model(workspaceId, config),
    program: (workspaceId, config) => this.program(workspaceId, config),
    endpoint: (_workspaceId, config) => this.endpoint(config),
    scripted: async () => ({}),
  };

  constructor(
    private readonly stores: ReferencedStores,
    private readonly operator: OperatorSettings,
    private readonly bus: Bus,
    private readonly schemas: SchemaChecks,
  ) {}

  /** Fails with `not_found` for what is not there, with `invalid_input` for what may not be. */
  async of(workspaceId: string, spec: DeploymentSpec): Promise<References> {
    const { runtime_profile_id: profile } = spec;
    if (profile !== undefined && !(await this.stores.profiles.find(workspaceId, profile))) {
      unknownReference(
        `There is no runtime profile ${profile}.`,
        'runtime_profile_id',
        'names no runtime profile',
      );
    }
    const own = await this.configured(workspaceId, spec);
    const all = [own, ...(await this.ofVariants(workspaceId, spec))];
    const idsOf = (member: 'modelAliasIds' | 'toolIds') => [
      ...new Set(all.flatMap((references) => references[member] ?? [])),
    ];
    return { ...own, modelAliasIds: idsOf('modelAliasIds'), toolIds: idsOf('toolIds') };
  }

  /** Fails for what the variants refer to as `of` does. */
  private async ofVariants(workspaceId: string, spec: DeploymentSpec): Promise<Partial<References>[]> {
    const all: Partial<References>[] = [];
    for (const [name, variant] of variantSpecs(spec)) {
      try {
        all.push(await this.configured(workspaceId, variant));
      } catch (error) {
        throw errorOfVariant(error, name);
      }
    }
    return all;
  }

  private async configured<Kind extends DeploymentSpec['kind']>(
    workspaceId: string,
    { kind, config }: { kind: Kind; config: SpecOf<Kind>['config'] },
  ): Promise<Partial<References>> {
    const check: Check<Kind> = this.checks[kind];
    return await check(workspaceId, config);
  }

  private async model(workspaceId: string, config: SpecOf<'model'>['config']): Promise<Partial<References>> {
    const { mcp_servers: servers = [] } = config;
    refuseInvalid('The deployment', [
      ...(await this.schemaProblems(workspaceId, config)),
      ...mcpServerProblems(servers),
    ]);
    await this.checkFiles(workspaceId, serverFiles(servers));
    const { provider_account_id: providerAccountId, model_alias: alias, tools = [] } = config;
    if (providerAccountId !== undefined) await this.checkAccount(workspaceId, providerAccountId);
    const modelAliasId = alias === undefined ? undefined : (await this.alias(workspaceId, alias)).id;
    const toolIds = [...new Set(tools)];
    if (toolIds.length > 0) await this.checkTools(workspaceId, toolIds);
    return { providerAccountId, modelAliasId, modelAliasIds: modelAliasId ? [modelAliasId] : [], toolIds };
  }

  private async schemaProblems(
    workspaceId: string,
    { output_schema: schema }: SpecOf<'model'>['config'],
  ): Promise<FieldProblem[]> {
    if (schema === undefined) return [];
    const message = await this.schemas.problemOf(workspaceId, 'output', schema);
    return message === null ? [] : [{ code: 'invalid_schema', field: 'config.output_schema', message }];
  }

  private async checkAccount(workspaceId: string, id: string): Promise<void> {
    if (await this.stores.accounts.find(workspaceId, id)) return;
    const field = 'config.provider_account_id';
    unknownReference(`There is no provider account ${id}.`, field, 'names no provider account');
  }

  private async alias(workspaceId: string, name: string, field = 'config.model_alias'): Promise<ModelAlias> {
    const [alias] = await this.stores.aliases.named(workspaceId, [name]);
    if (alias) return alias;
    return unknownReference(`There is no model alias "${name}".`, field, 'names no model alias');
  }

  private async checkTools(workspaceId: string, ids: string[]): Promise<void> {
    const known = new Set((await this.stores.tools.all(workspaceId)).map(({ id }) => id));
    const missing = ids.find((id) => !known.has(id));
    if (missing === undefined) return;
    unknownReference(`There is no tool ${missing}.`, 'config.tools', `names no tool: ${missing}`);
  }

  private async program(
    workspaceId: string,
    {
      command = [],
      files = [],
      skills = [],
      env = {},
      preset,
      protocol,
      models,
      mcp_servers: servers = [],
    }: SpecOf<'program'>['config'],
  ): Promise<Partial<References>> {
    refuseInvalid('The deployment', [
      ...commandProblems(command),
      ...environmentProblems(env),
      ...presetNameProblems(preset),
      ...presetSkillsProblems(preset, skills),
      ...presetProtocolProblems({ preset, protocol }),
      ...mcpServerProblems(servers),
    ]);
    const main = models && (await this.alias(workspaceId, models.main, 'config.models.main'));
    const small = models?.small && (await this.alias(workspaceId, models.small, 'config.models.small'));
    if (main !== undefined) await this.checkPresetModel(workspaceId, preset, main);
    const ofSkills = skills.flatMap((skill) => skill.files);
    await this.checkFiles(workspaceId, [...files, ...ofSkills, ...serverFiles(servers)]);
    const modelAliasIds = [main, small].flatMap((alias) => (alias ? [alias.id] : []));
    return { modelAliasId: main?.id, modelAliasIds };
  }

  private async checkFiles(workspaceId: string, files: readonly { artifact_id: string }[]): Promise<void> {
    const ids = files.map((file) => file.artifact_id);
    refuseInvalid('The deployment', filesProblems(ids, await this.sizesOf(workspaceId, [...new Set(ids)])));
  }

  private async checkPresetModel(
    workspaceId: string,
    preset: SpecOf<'program'>['config']['preset'],
    { provider_account_id: accountId }: ModelAlias,
  ): Promise<void> {
    const account = await this.stores.accounts.find(workspaceId, accountId);
    if (account) refuseInvalid('The deployment', presetModelProblems(preset, account.provider_key));
  }

  /** Of stored files, which cannot be deleted until a reference to them is stored. Fails with `not_found`. */
  private async sizesOf(workspaceId: string, ids: readonly string[]): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    for (let at = 0; at < ids.length; at += FILES_MAX) {
      const artifact_ids = ids.slice(at, at + FILES_MAX);
      const request = { workspace_id: workspaceId, artifact_ids, reserve: true };
      for (const { id, bytes } of (await this.bus.call(artifacts.getMany, request)).items)
        sizes.set(id, bytes);
    }
    return sizes;
  }

  private async endpoint({
    url,
    headers = {},
    credential_reference,
  }: SpecOf<'endpoint'>['config']): Promise<Partial<References>> {
    refuseInvalid('The deployment', [
      ...(await this.operator.endpointUrlProblems(url, 'config.url', credential_reference)),
      ...this.operator.credentialProblems(credential_reference, 'config.credential_reference'),
      ...headerProblems(headers, { hasCredential: credential_reference !== undefined }),
    ]);
    return {};
  }
}

function serverFiles(servers: readonly McpServer[]): { artifact_id: string }[] {
  return servers.flatMap(({ files = [] }) => files);
}

/** Every attempt would fail to place them. */
function filesProblems(ids: readonly string[], sizes: ReadonlyMap<string, number>): FieldProblem[] {
  if (ids.length > FILES_MAX) {
    const message = `are ${ids.length} with those of its skills and servers; a deployment may have ${FILES_MAX}`;
    return [{ code: 'too_large', field: 'config.files', message }];
  }
  const bytes = ids.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
  if (bytes <= PROGRAM_FILES_BYTES_MAX) return [];
  const [taken, most] = [Math.ceil(bytes / MIB), PROGRAM_FILES_BYTES_MAX / MIB];
  const message = `take ${taken} MiB together; the files of a program may take ${most} MiB`;
  return [{ code: 'too_large', field: 'config.files', message }];
}
