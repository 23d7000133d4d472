import { LOOPBACK } from '../process/port.js';
import type { Address } from './address.js';

/**
 * The event that a committed transaction survives. `machine`: a power cut. `process`: the end of any process, but not
 * of the machine; several times faster, and sufficient for disposable test data.
 */
export type Durability = 'machine' | 'process';

const COMMON = {
  listen_addresses: LOOPBACK,
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  max_connections: '200',
  // A small server for one machine: no standby, no parallel queries, little cache.
  shared_buffers: '32MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  max_parallel_workers: '0',
  io_method: 'sync',
  jit: 'off',
};

const DURABILITY: Record<Durability, Record<string, string>> = {
  machine: {},
  process: { fsync: 'off', full_page_writes: 'off' },
};

/** Command line flags of the server. */
export function serverFlags({ port, socketFolder = '' }: Address, durability: Durability): string[] {
  const own = { port: String(port), unix_socket_directories: socketFolder };
  const settings = { ...COMMON, ...DURABILITY[durability], ...own };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Flags of `initdb`. Text sorts by code point, independent of the machine's locales. */
export const INITDB_FLAGS = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth=scram-sha-256',
  '--wal-segsize=4',
  '--no-instructions',
];
