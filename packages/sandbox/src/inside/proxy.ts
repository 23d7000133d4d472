import type { NetworkPolicy } from '../spec.js';
import type { InsideClient } from './client.js';

const PROXY_PORT = 3128;

/** Brings the proxy of a spec, if it has one, to the sandbox's loopback. */
export async function exposeProxy(client: InsideClient, network: NetworkPolicy): Promise<void> {
  if (network.kind !== 'proxied') return;
  await client.listen(PROXY_PORT, (stream) => network.proxy.serve(stream));
}

/** What makes programs use the proxy. Both cases: programs differ in which they read. */
export function proxyEnvironment(network: NetworkPolicy): Record<string, string> {
  if (network.kind !== 'proxied') return {};
  const proxy = `http://127.0.0.1:${PROXY_PORT}`;
  const own = 'localhost,127.0.0.1,::1';
  const variables = { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy, NO_PROXY: own };
  const lower = Object.entries(variables).map(([name, value]) => [name.toLowerCase(), value]);
  return { ...variables, ...Object.fromEntries(lower) };
}
