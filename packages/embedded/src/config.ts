import { homedir } from 'node:os';
import path from 'node:path';

/** The environment variables of this package; read here only. */
export const environment = {
  searchPath: (process.env.PATH ?? '').split(path.delimiter).filter(Boolean),
  cacheHome: process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  dataHome: process.env.XDG_DATA_HOME || path.join(homedir(), '.local', 'share'),
  isRoot: process.getuid?.() === 0,
};

/** The cache of downloaded server binaries. */
export const cacheFolder = path.join(environment.cacheHome, 'agentclash');

/**
 * The default data folder of a local stack. As root it must not be below a closed home, since
 * PostgreSQL runs under an ordinary user that has to reach it.
 */
export const defaultDataFolder = environment.isRoot
  ? '/var/lib/agentclash'
  : path.join(environment.dataHome, 'agentclash');

/** A copy of binaries that an ordinary user must execute although the installation is in a closed folder. */
export const sharedCacheFolder = '/var/cache/agentclash';

const PROXY_VARIABLE = /^(?:https?|no)_proxy$/i;

/** For tools of the machine that download: a search path and its proxies, and nothing secret. */
export function toolEnvironment(): Record<string, string> {
  const proxies = Object.entries(process.env).flatMap(([name, value = '']) =>
    PROXY_VARIABLE.test(name) ? [[name.toLowerCase(), value] as const] : [],
  );
  return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', ...Object.fromEntries(proxies) };
}
