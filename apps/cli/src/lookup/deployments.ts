import { type Client, type Deployment, routes } from '@agentclash/api';
import { allPages, PAGE_SIZE } from './all-pages.js';

/** The active ones. */
export function listDeployments(client: Client): Promise<Deployment[]> {
  return allPages((cursor) =>
    client.call(routes.deployments.list, { query: { status: 'active', limit: PAGE_SIZE, cursor } }),
  );
}
