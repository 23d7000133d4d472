import { FakeApi } from '../fake-api.js';
import { offerAccess } from './access.js';
import { offerComparisons } from './comparisons.js';
import { offerPacks } from './packs.js';
import { offerResources } from './resources.js';
import { offerRuns } from './runs.js';

/** A server with a workspace in which everything is there once and nothing ever changes. */
export async function startWorld(): Promise<FakeApi> {
  const api = await FakeApi.start();
  for (const offer of [offerAccess, offerComparisons, offerPacks, offerResources, offerRuns]) offer(api);
  return api;
}
