import { SECRET_BINDINGS } from '@agentclash/domain';
import { z } from 'zod';

export const SecretBinding = z.enum(SECRET_BINDINGS);
export type SecretBinding = z.infer<typeof SecretBinding>;

const ORIGIN_LENGTH_MAX = 275;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 };
const PORT_MAX = 65_535;
const NAME = /^[a-z0-9_.*?-]+$/;
const IPV6 = /^\[?(?<address>(?=.*:.*:)[0-9a-f:.*?]+)\]?$/;

type ReadOrigin = { pattern: string } | { problem: string };

/**
 * An origin as an author writes it: `https://host:port` or `http://host:port`, the port optional; a host alone is https
 * on port 443. In the host `*` matches any characters and `?` one. `pattern` always has scheme and port.
 */
export function readOrigin(text: string): ReadOrigin {
  const [, scheme, authority = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/s.exec(text.toLowerCase()) ?? [];
  if (scheme !== undefined && DEFAULT_PORTS[scheme] === undefined) {
    return { problem: 'must begin with https:// or http://' };
  }
  if (/[/#@\\]/.test(authority)) {
    return { problem: 'must be an origin such as https://api.example.com: no path and no user' };
  }
  const [host, port] = splitPort(authority);
  if (port !== undefined && scheme === undefined) {
    return { problem: `needs a scheme before a port: https://${authority} or http://${authority}` };
  }
  const problem = hostProblem(host);
  if (problem !== undefined) return { problem };
  const number = port === undefined ? DEFAULT_PORTS[scheme ?? 'https'] : Number(port);
  if (number === undefined || number < 1 || number > PORT_MAX) {
    return { problem: `must have a port from 1 to ${PORT_MAX}` };
  }
  return { pattern: `${scheme ?? 'https'}://${bracketed(host)}:${number}` };
}

/** One place where a secret may go. */
export const SecretHost = z
  .string()
  .max(ORIGIN_LENGTH_MAX)
  .superRefine((text, refused) => {
    const read = readOrigin(text);
    if ('problem' in read) refused.addIssue({ code: 'custom', message: read.problem });
  });

/**
 * The origins that a stored secret may go to, as `readOrigin` gives them, with `*` for any scheme or port; null where
 * it may go anywhere. A binding that is absent comes from a vault that knew hosts alone.
 */
export function originsOf(secret: {
  hosts: readonly string[];
  binding?: SecretBinding | undefined;
}): string[] | null {
  const { hosts, binding = hosts.length > 0 ? 'host' : 'unbound' } = secret;
  return ORIGINS[binding](hosts);
}

const ORIGINS: { [B in SecretBinding]: (hosts: readonly string[]) => string[] | null } = {
  origin: (hosts) =>
    hosts.flatMap((host) => {
      const read = readOrigin(host);
      return 'pattern' in read ? [read.pattern] : [];
    }),
  any: () => null,
  host: (hosts) => hosts.map((host) => `*://${bracketed(host.toLowerCase())}:*`),
  unbound: () => null,
};

function splitPort(authority: string): [host: string, port: string | undefined] {
  const { host, port } = /^(?<host>\[.*\]|[^:]*):(?<port>\d+)$/.exec(authority)?.groups ?? {};
  return [host ?? authority, port];
}

function hostProblem(host: string): string | undefined {
  if (!NAME.test(host) && !IPV6.test(host)) {
    return 'must be a host such as api.example.com or *.example.com, or an origin such as https://api.example.com';
  }
  if (!/[^*?.:[\]]/.test(host)) return 'is every host: choose "any" instead';
  if (/[*?]/.test(host)) return undefined;
  const spelt = spelling(host);
  if (spelt === undefined) return 'is no host';
  return spelt === host.replace(/^\[|\]$/g, '') ? undefined : `would match nothing: write ${spelt}`;
}

/** A host as requests spell it: addresses in their usual form, no final dot. */
function spelling(host: string): string | undefined {
  const url = `http://${bracketed(host)}/`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$|\.$/g, '') : undefined;
}

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
