import { homedir } from 'node:os';
import path from 'node:path';

/** The environment this package looks at; the only place that reads it. */
export const environment = {
  searchPath: (process.env.PATH ?? '').split(path.delimiter).filter(Boolean),
  cacheHome: process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache'),
  dataHome: process.env.XDG_DATA_HOME || path.join(homedir(), '.local', 'share'),
  isRoot: process.getuid?.() === 0,
};

/** Where downloaded server binaries are kept. */
export const cacheFolder = path.join(environment.cacheHome, 'agentclash');

/**
 * Where the data of a local stack belongs by default. As root it must not lie under a closed home, since
 * PostgreSQL runs under an ordinary user that has to reach it.
 */
export const defaultDataFolder = environment.isRoot
  ? '/var/lib/agentclash'
  : path.join(environment.dataHome, 'agentclash');

/** Where binaries are copied to that an ordinary user must reach although the installation lies in a closed folder. */
export const sharedCacheFolder = '/var/cache/agentclash';
