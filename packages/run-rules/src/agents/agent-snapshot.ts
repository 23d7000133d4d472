import { builtinPresets, lockfileDigest } from '@agentclash/agent-presets';
import type {
  ArtifactRef,
  ModelConfig,
  ModelConnection,
  PlannedMcpServer,
  PlannedPreset,
  PlannedSkill,
  ProgramConfig,
  ProgramModels,
  ScriptedDeployment,
  WorkspaceTool,
} from '@agentclash/attempt-plan';
import {
  ContractError,
  type Deployment,
  type DeploymentSpec,
  type LaneVariant,
  type McpServer,
  type RuntimeProfile,
  type RuntimeProfileSpec,
  type Tool,
} from '@agentclash/contracts';
import type { EndpointConfig } from '@agentclash/domain';
import type { ModelCatalog } from '../models/model-catalog.js';
import type { Lane } from './lanes.js';
import { delegatesOf } from './tool-rules.js';

/** A deployment and its profile as a run pins them; files are named by content. */
export type AgentSnapshot = {
  deployment_id: string;
  revision: number;
  name: string;
  variant?: LaneVariant;
  profile: Omit<RuntimeProfileSpec, 'name'> | null;
  profile_name?: string;
  mcp_servers?: PlannedMcpServer[];
} & AgentOfSnapshot;

type AgentOfSnapshot =
  | { kind: 'program'; config: ProgramConfig }
  | { kind: 'scripted'; config: ScriptedDeployment }
  | { kind: 'endpoint'; config: EndpointConfig }
  | ModelAgent;

interface ModelAgent {
  kind: 'model';
  config: ModelConfig;
  /** The attached ones and those that they lead to. */
  tools: WorkspaceTool[];
  denied_tools: string[];
}

type KnownArtifacts = ReadonlyMap<string, ArtifactRef>;

/** The resources that deployments and packs refer to by name or id. */
export interface WorkspaceResources {
  models: ModelCatalog;
  tools: readonly Tool[];
}

/** The sources from which a snapshot is taken. */
export interface SnapshotSources {
  profile: RuntimeProfile | undefined;
  artifacts: KnownArtifacts;
  resources: WorkspaceResources;
}

type ConfigOf<Kind extends DeploymentSpec['kind']> = Extract<DeploymentSpec, { kind: Kind }>['config'];

/** Fails with `not_found` when the model of the deployment is no longer there. */
export function snapshotOf({ deployment, variant }: Lane, sources: SnapshotSources): AgentSnapshot {
  const { id: deployment_id, revision, name } = deployment;
  const profile = sources.profile ? limitsOf(sources.profile) : null;
  const profile_name = sources.profile?.name;
  const servers = serversOf(deployment);
  return {
    deployment_id,
    revision,
    name,
    ...(variant && { variant }),
    profile,
    ...(profile_name !== undefined && { profile_name }),
    ...agentOf(deployment, sources),
    ...(servers.length > 0 && { mcp_servers: plannedServers(servers, sources.artifacts) }),
  };
}

/** True when an agent calls tools of the pack: an endpoint is sent the task alone. */
export function hasTools({ kind }: Pick<AgentSnapshot, 'kind'>): boolean {
  return kind !== 'endpoint';
}

/**
 * True when the platform observes all calls of models that an agent may make. An endpoint calls models elsewhere, and a
 * program with `model_hosts` may call them with a key of its own: what they cost is unknown.
 */
export function isMetered(agent: AgentSnapshot): boolean {
  if (agent.kind === 'endpoint') return false;
  return agent.kind !== 'program' || (agent.config.model_hosts ?? []).length === 0;
}

/** The preset of a coding agent. */
export function presetOf(agent: AgentSnapshot): PlannedPreset | undefined {
  return agent.kind === 'program' ? agent.config.preset : undefined;
}

/** The configuration was validated by its kind when the deployment was stored. */
function agentOf(
  { name, kind, config }: Deployment,
  { artifacts, resources }: SnapshotSources,
): AgentOfSnapshot {
  switch (kind) {
    case 'scripted':
      return { kind, config: config as ScriptedDeployment };
    case 'program':
      return { kind, config: programConfig(name, config as ConfigOf<'program'>, { artifacts, resources }) };
    case 'endpoint':
      return { kind, config: config as object as EndpointConfig };
    case 'model':
      return modelAgent(name, config as ConfigOf<'model'>, resources);
  }
}

/** Ids of the stored files that a deployment brings. */
export function artifactIdsOf({ kind, config }: Pick<Deployment, 'kind' | 'config'>): string[] {
  const { files = [], skills = [] } = kind === 'program' ? (config as ConfigOf<'program'>) : {};
  return [
    ...files,
    ...skills.flatMap((skill) => skill.files),
    ...serversOf({ kind, config }).flatMap((server) => server.files ?? []),
  ].map((file) => file.artifact_id);
}

/** The servers of tools that a deployment brings. */
function serversOf({ kind, config }: Pick<Deployment, 'kind' | 'config'>): readonly McpServer[] {
  if (kind !== 'program' && kind !== 'model') return [];
  return (config as ConfigOf<'program' | 'model'>).mcp_servers ?? [];
}

function plannedServers(servers: readonly McpServer[], artifacts: KnownArtifacts): PlannedMcpServer[] {
  return servers.map(({ name, command = [], env, files, url, headers }) =>
    url === undefined
      ? {
          name,
          command,
          ...(env !== undefined && { env }),
          ...(files !== undefined && { files: plannedFiles(files, artifacts) }),
        }
      : { name, url, ...(headers !== undefined && { headers }) },
  );
}

function modelAgent(
  name: string,
  config: ConfigOf<'model'>,
  { models, tools }: WorkspaceResources,
): ModelAgent {
  const {
    provider_account_id,
    model,
    model_alias,
    tools: attached = [],
    tool_overrides,
    mcp_servers: _servers,
    ...behaviour
  } = config;
  return {
    kind: 'model',
    config: {
      ...connectionOf(name, config, models),
      ...(behaviour as Omit<ModelConfig, keyof ModelConnection>),
    },
    tools: pinnedTools(attached, tools),
    denied_tools: tool_overrides?.denied ?? [],
  };
}

function connectionOf(
  deployment: string,
  { provider_account_id: account = '', model = '', model_alias: alias }: ConfigOf<'model'>,
  models: ModelCatalog,
): ModelConnection {
  if (alias !== undefined) return aliasConnection(deployment, alias, models);
  return models.ofAccount(account, model) ?? missing(deployment, `provider account ${account}`);
}

function aliasConnection(deployment: string, alias: string, models: ModelCatalog): ModelConnection {
  return models.ofAlias(alias) ?? missing(deployment, `model alias "${alias}"`);
}

function missing(deployment: string, what: string): never {
  const message = `The deployment "${deployment}" names a ${what} that is not there.`;
  throw new ContractError('not_found', message);
}

function limitsOf({
  id,
  name,
  created_at,
  updated_at,
  ...spec
}: RuntimeProfile): Omit<RuntimeProfileSpec, 'name'> {
  return spec;
}

function programConfig(
  deployment: string,
  config: ConfigOf<'program'>,
  { artifacts, resources }: Pick<SnapshotSources, 'artifacts' | 'resources'>,
): ProgramConfig {
  const { command = [], protocol, env, files, model_hosts, models, preset, instructions, skills } = config;
  return {
    command,
    ...(protocol !== undefined && { protocol }),
    ...(models && { models: programModels(deployment, models, resources.models) }),
    ...(preset !== undefined && {
      preset: {
        ...plannedPreset(deployment, preset, instructions),
        ...(skills !== undefined && { skills: plannedSkills(skills, artifacts) }),
      },
    }),
    ...(env !== undefined && { env }),
    ...(model_hosts !== undefined && { model_hosts }),
    ...(files !== undefined && { files: plannedFiles(files, artifacts) }),
  };
}

function plannedFiles(files: NonNullable<ConfigOf<'program'>['files']>, artifacts: KnownArtifacts) {
  return files.map(({ path, artifact_id }) => ({ path, artifact: knownArtifact(artifacts, artifact_id) }));
}

function plannedSkills(
  skills: NonNullable<ConfigOf<'program'>['skills']>,
  artifacts: KnownArtifacts,
): PlannedSkill[] {
  return skills.map(({ name, files }) => ({ name, files: plannedFiles(files, artifacts) }));
}

function programModels(
  deployment: string,
  { main, small }: NonNullable<ConfigOf<'program'>['models']>,
  models: ModelCatalog,
): ProgramModels {
  const named = (alias: string) => ({ alias, ...aliasConnection(deployment, alias, models) });
  return { main: named(main), ...(small !== undefined && { small: named(small) }) };
}

function plannedPreset(
  deployment: string,
  preset: NonNullable<ConfigOf<'program'>['preset']>,
  instructions: string | undefined,
): PlannedPreset {
  const definition = typeof preset === 'string' ? builtinPresets().get(preset) : preset;
  if (definition === undefined) {
    const message = `The deployment "${deployment}" names a preset ${preset} that this release does not have.`;
    throw new ContractError('not_found', message);
  }
  const lockfile_sha256 = lockfileDigest(definition);
  return {
    definition,
    ...(lockfile_sha256 !== undefined && { lockfile_sha256 }),
    ...(instructions !== undefined && { instructions }),
  };
}

/** A stored file that was looked up before; its absence is a bug. */
function knownArtifact(artifacts: KnownArtifacts, id: string): ArtifactRef {
  const found = artifacts.get(id);
  if (found) return found;
  throw new Error(`the artifact ${id} was not looked up`);
}

/** The attached tools of a deployment and everything that these lead to, as a run pins them. */
export function pinnedTools(attachedIds: readonly string[], all: readonly Tool[]): WorkspaceTool[] {
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  const attached = all.filter(({ id }) => attachedIds.includes(id));
  const reached = new Set(attached);
  for (const tool of reached) {
    for (const name of delegatesOf(tool)) {
      const delegate = byName.get(name);
      if (delegate) reached.add(delegate);
    }
  }
  return [...reached].map((tool) => pinned(tool, attached.includes(tool)));
}

function pinned(tool: Tool, attached: boolean): WorkspaceTool {
  const { name, tool_kind, capability_key, lifecycle_status, definition } = tool;
  return {
    name,
    tool_kind,
    ...(capability_key !== undefined && { capability_key }),
    lifecycle_status,
    attached,
    definition: definition as WorkspaceTool['definition'],
  };
}
