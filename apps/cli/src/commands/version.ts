import { installedVersion } from '../installed-version.js';
import type { Session } from '../session/session.js';
import { oneLine } from '../terminal/printable.js';
import { facts } from '../terminal/table.js';

/** The release of the server beside that of this program. */
export interface ServerVersion {
  url: string;
  /** Null where it is not known. */
  version: string | null;
  /** `unknown`: the server does not show its version, or could not be requested. */
  compared: 'same' | 'older' | 'newer' | 'unknown';
  /** True when commands of this program work there; null where that is not known. */
  compatible: boolean | null;
  reason?: string;
  next?: string;
}

const REQUEST_MS_MAX = 5_000;

/** Prints the version of this program and, where a server is configured, how that of the server relates to it. */
export async function showVersion(session: Session): Promise<undefined> {
  const version = installedVersion();
  const server = await serverVersion(session, version);
  const { out } = session;
  out.result({ version, node: process.version, server }, () => {
    const own = `agentclash ${version}`;
    return server === null ? own : `${own}\n${facts(linesOf(server), out.paint.dim)}`;
  });
  if (server?.next !== undefined) out.note(out.paint.dim(oneLine(server.next)));
}

function linesOf({ url, version, compared, reason }: ServerVersion): [string, string][] {
  const known =
    version === null
      ? 'version unknown'
      : `${version}${compared === 'same' ? '' : `, ${compared} than this program`}`;
  return [['server', oneLine(`${url}  ${reason ?? known}`)]];
}

/** Null where no server is configured. */
async function serverVersion(session: Session, own: string): Promise<ServerVersion | null> {
  const { apiUrl } = await session.settings();
  if (apiUrl === undefined) return null;
  const url = apiUrl.value;
  try {
    const [client, { routes }] = await Promise.all([session.client(), import('@agentclash/api')]);
    const health = await within(client.call(routes.service.installation, {}));
    return versionAt(url, health.version, own);
  } catch (error) {
    return unreadable(url, error);
  }
}

/** Of a server that shows its version. */
export function versionAt(url: string, version: string | undefined, own: string): ServerVersion {
  if (version === undefined) {
    const reason = 'does not show its version: it is older than this program';
    return { url, version: null, compared: 'older', compatible: true, reason, next: UPGRADE_SERVER };
  }
  const order = compareVersions(version, own);
  if (order === undefined) return { url, version, compared: 'unknown', compatible: null };
  if (order === 0) return { url, version, compared: 'same', compatible: true };
  const compared = order < 0 ? 'older' : 'newer';
  return {
    url,
    version,
    compared,
    compatible: true,
    next: order < 0 ? UPGRADE_SERVER : upgradeThis(version),
  };
}

const UPGRADE_SERVER =
  'Both have the API v1. Commands that the server does not know yet are refused: upgrade the server for them (docs/upgrades.md).';

function upgradeThis(version: string): string {
  return `Both have the API v1. To use what the server has more: install version ${version} of this program.`;
}

function unreadable(url: string, error: unknown): ServerVersion {
  const { code, hint, message } = error as { code?: string; hint?: string; message: string };
  const unknown = { url, version: null, compared: 'unknown', compatible: null } as const;
  if (code === 'not_found') {
    const next = 'Is the address that of a server of AgentClash? agentclash doctor checks it.';
    return { ...unknown, compatible: false, reason: 'has no API v1', next };
  }
  return { ...unknown, reason: message, next: hint ?? 'agentclash doctor checks server and token.' };
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no response within 5 s')), REQUEST_MS_MAX);
  });
  return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Below 0 where `left` is older; undefined where one of them is no version. A pre-release precedes its release. */
export function compareVersions(left: string, right: string): number | undefined {
  const [a, b] = [partsOf(left), partsOf(right)];
  if (a === undefined || b === undefined) return undefined;
  for (const index of [0, 1, 2]) {
    const difference = (a.numbers[index] ?? 0) - (b.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.pre === b.pre) return 0;
  if (a.pre === undefined || b.pre === undefined) return a.pre === undefined ? 1 : -1;
  return a.pre.localeCompare(b.pre, 'en', { numeric: true });
}

function partsOf(version: string): { numbers: number[]; pre: string | undefined } | undefined {
  const [, numbers, pre] = /^(\d+\.\d+\.\d+)(?:-([\w.-]+))?(?:\+[\w.-]+)?$/.exec(version) ?? [];
  return numbers === undefined ? undefined : { numbers: numbers.split('.').map(Number), pre };
}
