import path from 'node:path';
import { type Client, routes } from '@agentclash/api';
import { withIds } from '../../deployment-file/names-for-ids.js';
import type { DeploymentPlan, DeploymentStep, ProfileStep } from '../../deployment-file/plan.js';
import type { LocalContents } from './local-files.js';

/** What became of one resource of the file. */
export interface Applied {
  resource: 'runtime_profile' | 'deployment';
  name: string;
  id: string;
  applied: 'created' | 'revised' | 'unchanged';
  revision?: number;
}

/** Carries a plan out, step by step; what was done before a failure stays done, and doing it again changes nothing. */
export async function* applyPlan(
  client: Client,
  plan: DeploymentPlan,
  contents: LocalContents,
): AsyncGenerator<Applied, void, undefined> {
  const profileIds = new Map<string, string>();
  for (const step of plan.profiles) {
    const applied = await applyProfile(client, step);
    profileIds.set(applied.name, applied.id);
    yield applied;
  }
  const upload = uploader(client, contents);
  for (const step of plan.deployments) {
    const artifactIds = new Map<number, string>();
    for (const { index, from } of step.files) artifactIds.set(index, await upload(from));
    const profileId =
      step.profile === undefined ? undefined : await idOfProfile(client, step.profile, profileIds);
    yield await applyDeployment(client, { ...step, spec: withIds(step.spec, { profileId, artifactIds }) });
  }
}

async function applyProfile(client: Client, { spec, id }: ProfileStep): Promise<Applied> {
  const resource = 'runtime_profile';
  if (id === undefined) {
    const made = await client.call(routes.profiles.create, { body: spec });
    return { resource, name: made.name, id: made.id, applied: 'created' };
  }
  const revised = await client.call(routes.profiles.update, { params: { profile_id: id }, body: spec });
  return { resource, name: revised.name, id: revised.id, applied: revised.applied };
}

async function applyDeployment(client: Client, { spec, id }: DeploymentStep): Promise<Applied> {
  const resource = 'deployment';
  if (id === undefined) {
    const made = await client.call(routes.deployments.create, { body: spec });
    return { resource, name: made.name, id: made.id, applied: 'created', revision: made.revision };
  }
  const { applied, name, revision } = await client.call(routes.deployments.update, {
    params: { deployment_id: id },
    body: spec,
  });
  return { resource, name, id, applied, revision };
}

async function idOfProfile(client: Client, name: string, made: ReadonlyMap<string, string>): Promise<string> {
  const id = made.get(name);
  if (id !== undefined) return id;
  const { getProfile } = await import('../../lookup/deployments.js');
  return (await getProfile(client, name)).id;
}

/** Each file goes up once, however many deployments bring it along. */
function uploader(client: Client, contents: LocalContents): (from: string) => Promise<string> {
  const uploads = new Map<string, Promise<string>>();
  const upload = async (from: string) => {
    const file = new Blob([contents.get(from) ?? new Uint8Array()]);
    return (await client.call(routes.artifacts.upload, { body: { file, name: path.basename(from) } })).id;
  };
  return (from) => {
    const uploading = uploads.get(from) ?? upload(from);
    uploads.set(from, uploading);
    return uploading;
  };
}
