import { type Client, routes, type Token } from '@agentclash/api';
import { allPages, PAGE_SIZE } from './all-pages.js';

export function listTokens(client: Client): Promise<Token[]> {
  return allPages((cursor) => client.call(routes.tokens.list, { query: { limit: PAGE_SIZE, cursor } }));
}
