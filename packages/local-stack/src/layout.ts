import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** Where everything of one stack lies below its data folder. */
export interface Layout {
  folder: string;
  postgres: string;
  nats: string;
  natsConfig: string;
  blobs: string;
  log: string;
  credentials: string;
  state: string;
}

/** Where a running stack leaves its state. */
export function stateFileIn(folder: string): string {
  return path.join(path.resolve(folder), 'stack.json');
}

export async function openLayout(folder: string): Promise<Layout> {
  const absolute = path.resolve(folder);
  const layout: Layout = {
    folder: absolute,
    postgres: path.join(absolute, 'postgres'),
    nats: path.join(absolute, 'nats'),
    natsConfig: path.join(absolute, 'nats', 'server.conf'),
    blobs: path.join(absolute, 'blobs'),
    log: path.join(absolute, 'agentclash.log'),
    credentials: path.join(absolute, 'credentials.json'),
    state: stateFileIn(absolute),
  };
  // PostgreSQL runs under an ordinary user and has to pass through.
  await mkdir(absolute, { recursive: true, mode: 0o755 });
  for (const part of [layout.nats, layout.blobs]) await mkdir(part, { recursive: true, mode: 0o700 });
  return layout;
}
