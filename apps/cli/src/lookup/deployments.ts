import { type Client, type Deployment, routes } from '@agentclash/api';
import { allPages, PAGE_SIZE } from './all-pages.js';
import { isId, notFound } from './not-found.js';

/** The active ones. */
export function listDeployments(client: Client): Promise<Deployment[]> {
  return allPages((cursor) =>
    client.call(routes.deployments.list, { query: { status: 'active', limit: PAGE_SIZE, cursor } }),
  );
}

/** An active deployment by name, or any by id. */
export async function getDeployment(client: Client, reference: string): Promise<Deployment> {
  if (isId(reference)) return client.call(routes.deployments.get, { params: { deployment_id: reference } });
  const { items } = await client.call(routes.deployments.list, {
    query: { name: reference, status: 'active' },
  });
  const found = items.find(({ name }) => name === reference);
  if (found !== undefined) return found;
  const names = (await listDeployments(client)).map(({ name }) => name);
  throw await notFound('deployment', reference, names);
}
