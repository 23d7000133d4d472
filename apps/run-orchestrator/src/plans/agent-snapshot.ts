import {
  ContractError,
  type Deployment,
  type DeploymentSpec,
  type RuntimeProfile,
  type RuntimeProfileSpec,
} from '@agentclash/contracts';
import type { ArtifactRef, ProgramConfig, ScriptedDeployment } from '@agentclash/engine';

/** A deployment and its profile as a run pins them; files are named by content. */
export type AgentSnapshot = {
  deployment_id: string;
  revision: number;
  name: string;
  profile: Omit<RuntimeProfileSpec, 'name'> | null;
} & ({ kind: 'program'; config: ProgramConfig } | { kind: 'scripted'; config: ScriptedDeployment });

type ProgramSpec = Extract<DeploymentSpec, { kind: 'program' }>['config'];

export function snapshotOf(
  deployment: Deployment,
  profile: RuntimeProfile | undefined,
  artifacts: ReadonlyMap<string, ArtifactRef>,
): AgentSnapshot {
  const { id: deployment_id, revision, name, kind, config } = deployment;
  const pinned = { deployment_id, revision, name, profile: profile ? limitsOf(profile) : null };
  if (kind === 'scripted') return { ...pinned, kind, config: config as ScriptedDeployment };
  if (kind === 'program') return { ...pinned, kind, config: pinFiles(config as ProgramSpec, artifacts) };
  throw new ContractError('unsupported_capability', `Deployments of kind ${kind} cannot run here.`);
}

/** Ids of the stored files that a deployment brings. */
export function artifactIdsOf({ kind, config }: Pick<Deployment, 'kind' | 'config'>): string[] {
  if (kind !== 'program') return [];
  return ((config as ProgramSpec).files ?? []).map((file) => file.artifact_id);
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

function pinFiles(
  { command, env, files }: ProgramSpec,
  artifacts: ReadonlyMap<string, ArtifactRef>,
): ProgramConfig {
  return {
    command,
    ...(env !== undefined && { env }),
    ...(files !== undefined && {
      files: files.map(({ path, artifact_id }) => ({
        path,
        artifact: knownArtifact(artifacts, artifact_id),
      })),
    }),
  };
}

/** A stored file that was asked for before; its absence is a bug. */
function knownArtifact(artifacts: ReadonlyMap<string, ArtifactRef>, id: string): ArtifactRef {
  const found = artifacts.get(id);
  if (found) return found;
  throw new Error(`the artifact ${id} was not looked up`);
}
