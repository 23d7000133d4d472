import { mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { StackError } from './stack-error.js';

/** Where everything of one stack lies below its data folder. */
export interface Layout {
  folder: string;
  postgres: string;
  nats: string;
  natsConfig: string;
  blobs: string;
  log: string;
  credentials: string;
  /** Bus users of internal services. */
  busApiUsers: string;
  /** The vault's own: master keys. */
  vaultKeys: string;
  state: string;
  /** The port of the HTTP API, for the next start. */
  ports: string;
  /** The operator's settings of this stack. */
  settings: string;
}

/** Where a running stack leaves its state. */
export function stateFileIn(folder: string): string {
  return path.join(path.resolve(folder), 'stack.json');
}

/** Where the services of a stack write their log. */
export function stackLogIn(folder: string): string {
  return path.join(path.resolve(folder), 'agentclash.log');
}

export async function openLayout(folder: string): Promise<Layout> {
  const absolute = path.resolve(folder);
  const layout: Layout = {
    folder: absolute,
    postgres: path.join(absolute, 'postgres'),
    nats: path.join(absolute, 'nats'),
    natsConfig: path.join(absolute, 'nats', 'server.conf'),
    blobs: path.join(absolute, 'blobs'),
    log: stackLogIn(absolute),
    credentials: path.join(absolute, 'credentials.json'),
    busApiUsers: path.join(absolute, 'front-doors.json'),
    vaultKeys: path.join(absolute, 'vault-keys.json'),
    state: stateFileIn(absolute),
    ports: path.join(absolute, 'ports.json'),
    settings: path.join(absolute, 'settings.json'),
  };
  try {
    // PostgreSQL runs under an ordinary user and has to pass through.
    await makeFolder(absolute, 0o755);
    for (const part of [layout.nats, layout.blobs]) await makeFolder(part, 0o700);
    return layout;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const hint = 'Choose another folder with --data <folder>.';
    throw new StackError('start_failed', `The data folder ${absolute} cannot be made (${code})`, hint, {
      cause,
    });
  }
}

/** Node's own recursive mkdir never ends on file systems that take no folders, such as /proc. */
async function makeFolder(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || path.dirname(folder) === folder) throw error;
    await makeFolder(path.dirname(folder), mode);
    await mkdir(folder, mode);
  }
}
