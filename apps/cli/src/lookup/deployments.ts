import { type Client, type Deployment, type RuntimeProfile, routes } from '@agentclash/api';
import { allPages, PAGE_SIZE } from './all-pages.js';
import { isId, notFound } from './not-found.js';

export function listDeployments(
  client: Client,
  status: Deployment['status'] = 'active',
): Promise<Deployment[]> {
  return allPages((cursor) =>
    client.call(routes.deployments.list, { query: { status, limit: PAGE_SIZE, cursor } }),
  );
}

/** An active deployment by name, or any by id. */
export async function getDeployment(client: Client, reference: string): Promise<Deployment> {
  if (isId(reference)) return client.call(routes.deployments.get, { params: { deployment_id: reference } });
  const found = await findDeployment(client, reference);
  if (found !== undefined) return found;
  const names = (await listDeployments(client)).map(({ name }) => name);
  throw await notFound('deployment', reference, names);
}

export async function findDeployment(client: Client, name: string): Promise<Deployment | undefined> {
  const { items } = await client.call(routes.deployments.list, { query: { name, status: 'active' } });
  return items.find((deployment) => deployment.name === name);
}

export function listProfiles(client: Client): Promise<RuntimeProfile[]> {
  return allPages((cursor) => client.call(routes.profiles.list, { query: { limit: PAGE_SIZE, cursor } }));
}

export async function getProfile(client: Client, reference: string): Promise<RuntimeProfile> {
  if (isId(reference)) return client.call(routes.profiles.get, { params: { profile_id: reference } });
  const found = await findProfile(client, reference);
  if (found !== undefined) return found;
  const names = (await listProfiles(client)).map(({ name }) => name);
  throw await notFound('runtime profile', reference, names);
}

export async function findProfile(client: Client, name: string): Promise<RuntimeProfile | undefined> {
  const { items } = await client.call(routes.profiles.list, { query: { name } });
  return items.find((profile) => profile.name === name);
}
