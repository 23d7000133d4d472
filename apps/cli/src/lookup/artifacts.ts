import { type Client, routes } from '@agentclash/api';
import { allPages, PAGE_SIZE } from './all-pages.js';
import { matchIdPart } from './id-part.js';
import { isId } from './not-found.js';

/** The id of an artifact, from the id or a part of it. What is none is left for the server to refuse. */
export async function artifactIdOf(client: Client, reference: string): Promise<string> {
  if (isId(reference)) return reference;
  const artifacts = await allPages((cursor) =>
    client.call(routes.artifacts.list, { query: { limit: PAGE_SIZE, cursor } }),
  );
  return matchIdPart(artifacts, reference, 'artifact')?.id ?? reference;
}
