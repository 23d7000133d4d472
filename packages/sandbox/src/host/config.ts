import { accessSync, constants } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

/** Where the provider looks and keeps things unless its options name other directories. */
export interface Paths {
  /** Built tools; survives restarts. As root readable by all, because sandboxes run under other uids. */
  cacheDir: string;
  /** Records of live sandboxes; shared by all processes of this user on this machine. */
  stateDir: string;
}

const FIXED_SEARCH_PATH = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

export function defaultPaths(isRoot: boolean): Paths {
  if (isRoot) return { cacheDir: '/var/cache/agentclash/sandbox', stateDir: '/run/agentclash/sandbox' };
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  const runtime = process.env.XDG_RUNTIME_DIR ?? path.join(tmpdir(), `agentclash-${process.getuid?.() ?? 0}`);
  return {
    cacheDir: path.join(cache, 'agentclash', 'sandbox'),
    stateDir: path.join(runtime, 'agentclash', 'sandbox'),
  };
}

/** Where packages that sandboxes read are kept: as root, a directory that users of sandboxes can reach. */
export function sharedPackagesDirectory(): string {
  const { cacheDir } = defaultPaths(process.getuid?.() === 0);
  return path.join(path.dirname(cacheDir), 'agents');
}

/** Full path of the first of these programs that can be run. */
export function findProgram(...names: string[]): string | undefined {
  const searched = [
    ...FIXED_SEARCH_PATH,
    ...(process.env.PATH ?? '').split(':').filter((part) => part !== ''),
  ];
  for (const name of names) {
    const found = searched.map((directory) => path.join(directory, name)).find(isExecutable);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The environment for host tools such as the compiler: a search path and nothing secret. */
export function toolEnvironment(): Record<string, string> {
  return { PATH: FIXED_SEARCH_PATH.join(':'), LC_ALL: 'C' };
}

const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'ftp_proxy', 'no_proxy'];

/** For tools that download: how this machine reaches its sources is no secret of a service. */
export function packageToolEnvironment(): Record<string, string> {
  const proxies = PROXY_VARIABLES.flatMap((name) => {
    const value = process.env[name] ?? process.env[name.toUpperCase()];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...toolEnvironment(), ...Object.fromEntries(proxies) };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
