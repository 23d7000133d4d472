import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ARTIFACT_BYTES_MAX, type Artifact, type Client, routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import type { Session } from '../../session.js';
import { bytes } from '../../terminal/figures.js';
import type { Output } from '../../terminal/output.js';
import { oneLine } from '../../terminal/printable.js';
import { readStdin } from '../../terminal/read-stdin.js';
import { showTransfer } from '../../terminal/transfer.js';
import { readSource, sourceName } from '../../yaml/read-source.js';

export async function run(session: Session, { files }: { files: string[] }): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const stored: Artifact[] = [];
  for (const name of files) {
    const artifact = await upload(client, out, name);
    stored.push(artifact);
    out.line(`${artifact.id}  ${bytes(artifact.bytes)}  ${oneLine(artifact.name)}`);
  }
  out.document({ items: stored });
}

async function upload(client: Client, out: Output, source: string): Promise<Artifact> {
  const file = await blobOf(source);
  if (file.size > ARTIFACT_BYTES_MAX) {
    const detail = `${sourceName(source)} has ${bytes(file.size)}; a file may have ${bytes(ARTIFACT_BYTES_MAX)}`;
    throw new CommandError('usage', detail);
  }
  const name = source === '-' ? 'stdin' : path.basename(source);
  const shown = showTransfer(out, name, file.size);
  try {
    const body = { file, name, ...(shown && { onProgress: shown.at }) };
    return await client.call(routes.artifacts.upload, { body });
  } finally {
    shown?.end();
  }
}

/** A file is read while it is sent; standard input has to end first. */
async function blobOf(source: string): Promise<Blob> {
  if (source === '-') return new Blob([new Uint8Array(await readStdin())]);
  const isFile = await stat(source).then(
    (found) => found.isFile(),
    () => false,
  );
  // What is no plain file, or cannot be read, is told the way every command tells it.
  return isFile ? await openAsBlob(source) : new Blob([new Uint8Array(await readSource(source))]);
}
