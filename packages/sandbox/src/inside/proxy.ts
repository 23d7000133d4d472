import type { ResolvedSpec } from '../resolved-spec.js';
import { type NetworkPolicy, PROXY_PORT } from '../spec.js';
import type { InsideClient } from './client.js';

/** Exposes the services of a spec, its proxy among them, on the sandbox's loopback. */
export async function exposeListeners(
  client: InsideClient,
  { network, listeners }: Pick<ResolvedSpec, 'network' | 'listeners'>,
): Promise<void> {
  const proxy =
    network.kind === 'proxied' ? [{ port: PROXY_PORT, serve: network.proxy.serve.bind(network.proxy) }] : [];
  for (const { port, serve } of [...proxy, ...listeners]) await client.listen(port, serve);
}

/** Variables that make programs use the proxy. Both cases: programs differ in which they read. */
export function proxyEnvironment(network: NetworkPolicy): Record<string, string> {
  if (network.kind !== 'proxied') return {};
  const proxy = `http://127.0.0.1:${PROXY_PORT}`;
  const own = 'localhost,127.0.0.1,::1';
  const variables = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: own };
  const lower = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...variables, ...Object.fromEntries(lower) };
}
