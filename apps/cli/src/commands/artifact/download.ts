import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { type Artifact, routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import type { Session } from '../../session/session.js';
import { bytes } from '../../terminal/figures.js';
import { showTransfer } from '../../terminal/live-area.js';
import { printStream } from '../../terminal/output.js';
import { oneLine } from '../../terminal/printable.js';
import { artifactIdOf } from './artifacts.js';
import { saveFile } from './save-file.js';

interface Input {
  id: string;
  output?: string;
  force?: boolean;
}

export async function downloadArtifact(session: Session, input: Input): Promise<undefined> {
  const { output, force = false } = input;
  const { out } = session;
  const client = await session.client();
  const id = await artifactIdOf(client, input.id);
  const params = { artifact_id: id };
  const artifact = await client.call(routes.artifacts.get, { params });
  const target = output ?? localName(artifact);
  const response = await client.call(routes.artifacts.content, { params });
  if (response.body === null)
    throw new CommandError('unavailable', `The content of ${id} is missing: the response has no body`);
  const shown = showTransfer(out, artifact.name, artifact.bytes);
  const content = checkedContent(Readable.from(response.body), artifact, shown?.at);
  try {
    if (target === '-') await printStream(out, content);
    else await save({ session, artifact, content, target, force });
  } finally {
    shown?.end();
  }
}

interface Save {
  session: Session;
  artifact: Artifact;
  content: AsyncIterable<Uint8Array>;
  target: string;
  force: boolean;
}

async function save({ session, artifact, content, target, force }: Save): Promise<void> {
  const { replaced } = await saveFile(target, content, { mayReplace: force });
  session.out.result({ ...artifact, file: target, replaced }, () => {
    const size = `${oneLine(target)}  ${bytes(artifact.bytes)}`;
    return replaced ? `${size}  (replaced)` : size;
  });
}

/**
 * The default path of an artifact. Its name is untrusted: only the last part may choose a path here, and
 * one that names a folder, or is hidden, gives way to the id.
 */
export function localName({ id, name }: Pick<Artifact, 'id' | 'name'>): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  return last === '' || last === '-' || last.startsWith('.') || /\p{Cc}/u.test(last) ? id : last;
}

/** The chunks as they come; fails after the last when they are not the bytes of the artifact. */
export async function* checkedContent(
  chunks: AsyncIterable<Uint8Array>,
  { id, sha256, bytes }: Pick<Artifact, 'id' | 'sha256' | 'bytes'>,
  onProgress?: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash('sha256');
  let received = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    received += chunk.length;
    onProgress?.(received);
    yield chunk;
  }
  if (hash.digest('hex') === sha256) return;
  const came = received === bytes ? 'other bytes' : `${received} of ${bytes} bytes`;
  throw new CommandError('try_again', `The download is not ${id}: ${came}`, { hint: 'Download it again.' });
}
