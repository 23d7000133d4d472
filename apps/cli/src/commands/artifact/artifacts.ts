import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { ARTIFACT_BYTES_MAX, type Artifact, type Client, routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { allPages, PAGE_SIZE } from '../../lookup/all-pages.js';
import { isId, matchIdPart } from '../../lookup/id-part.js';
import { isConfirmed } from '../../session/confirmed.js';
import type { Session } from '../../session/session.js';
import { bytes } from '../../terminal/figures.js';
import { showTransfer } from '../../terminal/live-area.js';
import type { Output } from '../../terminal/output.js';
import { printTable } from '../../terminal/print-table.js';
import { oneLine } from '../../terminal/printable.js';
import { readStdin } from '../../terminal/read-stdin.js';
import { idColumn, timeColumn } from '../../terminal/table.js';
import { readSource, sourceName } from '../../yaml/read-source.js';

interface ArtifactFilter {
  search?: string;
  sha256?: string;
}

export async function listArtifacts(
  session: Session,
  { search, sha256 }: ArtifactFilter,
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const items = await allPages((cursor) =>
    client.call(routes.artifacts.list, { query: { limit: PAGE_SIZE, cursor, q: search, sha256 } }),
  );
  printTable(out, items, {
    columns: [
      idColumn('ID', ({ id }) => id),
      { title: 'NAME', value: ({ name }) => name, cutTo: 20, style: out.paint.bold },
      {
        title: 'SIZE',
        value: ({ bytes: size }) => bytes(size),
        key: 'bytes',
        data: (item) => item.bytes,
        align: 'right',
      },
      {
        title: 'SHA-256',
        value: ({ sha256: digest }) => digest.slice(0, 12),
        data: ({ sha256: digest }) => digest,
        leaveOut: 1,
      },
      timeColumn('CREATED', ({ created_at: at }) => at),
    ],
    empty: 'No stored files.',
  });
}

export async function uploadArtifacts(session: Session, { files }: { files: string[] }): Promise<undefined> {
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
  // Anything but a plain file, or a file that cannot be read, is reported as by every command.
  return isFile ? await openAsBlob(source) : new Blob([new Uint8Array(await readSource(source))]);
}

export async function deleteArtifact(
  session: Session,
  { id: reference, yes }: { id: string; yes?: boolean },
): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const id = await artifactIdOf(client, reference);
  const confirmed = await isConfirmed(session, {
    yes,
    warning: `Deleting the stored file ${id} cannot be undone`,
    question: `Delete the stored file ${id} for good?`,
    hint: `agentclash artifact delete ${id} --yes`,
  });
  if (!confirmed) {
    out.result({ id, deleted: false }, () => `${id} is kept`);
    return;
  }
  await client.call(routes.artifacts.remove, { params: { artifact_id: id } });
  out.result({ id, deleted: true }, () => `${id} is deleted`);
}

/** The id of an artifact, from the id or a part of it. What is none is left for the server to refuse. */
export async function artifactIdOf(client: Client, reference: string): Promise<string> {
  if (isId(reference)) return reference;
  const artifacts = await allPages((cursor) =>
    client.call(routes.artifacts.list, { query: { limit: PAGE_SIZE, cursor } }),
  );
  return matchIdPart(artifacts, reference, 'artifact')?.id ?? reference;
}
