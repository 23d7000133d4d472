import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import type { Session } from '../../session.js';
import { bytes } from '../../terminal/figures.js';
import { oneLine } from '../../terminal/printable.js';

interface Input {
  id: string;
  output?: string;
  force?: boolean;
}

export async function run(session: Session, { id, output, force = false }: Input): Promise<undefined> {
  const client = await session.client();
  const params = { artifact_id: id };
  const artifact = await client.call(routes.artifacts.get, { params });
  // The name is somebody's text: only its last part may choose a place here.
  const target = output ?? path.basename(artifact.name);
  const response = await client.call(routes.artifacts.content, { params });
  if (response.body === null) throw new CommandError('unavailable', `The content of ${id} did not come`);
  const content = Readable.from(response.body);
  if (target === '-') {
    await pipeline(content, process.stdout, { end: false });
    return;
  }
  try {
    await pipeline(content, createWriteStream(target, { flags: force ? 'w' : 'wx' }));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    throw new CommandError('usage', `${target} exists`, { hint: '--force replaces it.', cause });
  }
  session.out.result({ ...artifact, file: target }, () => `${oneLine(target)}  ${bytes(artifact.bytes)}`);
}
