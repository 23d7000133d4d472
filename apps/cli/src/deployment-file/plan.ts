import type { DeploymentSpec, RuntimeProfileSpec } from '@agentclash/api';
import type { Problem } from '../yaml/problem-line.js';
import type { LocalFile } from './names-for-ids.js';
import type { AuthoredDeployment, DeploymentFile } from './read.js';

/** Ids of what the workspace has, by name. */
export interface Existing {
  profiles: ReadonlyMap<string, string>;
  deployments: ReadonlyMap<string, string>;
}

/** `id` is that of the resource to revise; absent, one is made. */
export interface ProfileStep {
  spec: RuntimeProfileSpec;
  id: string | undefined;
}

export interface DeploymentStep {
  spec: DeploymentSpec;
  id: string | undefined;
  profile: string | undefined;
  files: readonly LocalFile[];
}

/** What to do, in this order: profiles first, for deployments name them. */
export interface DeploymentPlan {
  profiles: readonly ProfileStep[];
  deployments: readonly DeploymentStep[];
  /** Names that stand for nothing; with any, nothing is to be done. */
  problems: readonly Problem[];
}

/** What a deployment file means for a workspace. */
export function planDeployments(file: DeploymentFile, existing: Existing): DeploymentPlan {
  const profileNames = new Set([...existing.profiles.keys(), ...file.profiles.map(({ spec }) => spec.name)]);
  return {
    profiles: file.profiles.map(({ spec }) => ({ spec, id: existing.profiles.get(spec.name) })),
    deployments: file.deployments.map(({ spec, profile, files }) => ({
      spec,
      id: existing.deployments.get(spec.name),
      profile,
      files,
    })),
    problems: file.deployments.flatMap((deployment) => missingProfile(file, deployment, profileNames)),
  };
}

function missingProfile(
  { source }: DeploymentFile,
  { profile, at }: AuthoredDeployment,
  names: ReadonlySet<string>,
): Problem[] {
  if (profile === undefined || names.has(profile)) return [];
  const problem = { code: 'unknown_reference', message: `there is no runtime profile "${profile}"` };
  return [source.problemAt([...at, 'runtime_profile'], problem)];
}
