import { promises as dns } from 'node:dns';
import { isIP } from 'node:net';
import { startDeadline, within } from './deadline.js';

/** Every A and AAAA record of an absolute name (given without its final dot). May reject; `signal` ends the lookup. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

/** Queries name servers (`address:port`; without any, the system's), never the hosts file and never a search domain. */
export function nameServerResolve(servers?: readonly string[]): Resolve {
  return async (name, signal) => {
    const resolver = new dns.Resolver({ timeout: 1000, tries: 3 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const absolute = `${name}.`;
      const addresses = await Promise.allSettled([resolver.resolve4(absolute), resolver.resolve6(absolute)]);
      return addresses.flatMap((lookup) => (lookup.status === 'fulfilled' ? lookup.value : []));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

export const systemResolve: Resolve = nameServerResolve();

const LOOKUP_MS = 3000;
const ADDRESSES_MAX = 16;

/**
 * The addresses of a name within 3 s, or undefined when there is no usable one: none, more than 16, or one that is
 * no address. Rejects only with the reason of `signal`.
 */
export async function lookUp(
  name: string,
  resolve: Resolve,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  const deadline = startDeadline(LOOKUP_MS, () => new Error('lookup'), signal);
  try {
    const addresses = await within(deadline.signal, resolve(name, deadline.signal)).catch(() => []);
    signal.throwIfAborted();
    const isUsable = addresses.length > 0 && addresses.length <= ADDRESSES_MAX;
    return isUsable && addresses.every((lookup) => isIP(lookup) !== 0) ? addresses : undefined;
  } finally {
    deadline.end();
  }
}
