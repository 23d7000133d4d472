import path from 'node:path';
import { type Artifact, routes } from '@agentclash/api';
import type { Session } from '../../session.js';
import { bytes } from '../../terminal/figures.js';
import { oneLine } from '../../terminal/printable.js';
import { readSource } from '../../yaml/read-source.js';

export async function run(session: Session, { files }: { files: string[] }): Promise<undefined> {
  const { out } = session;
  const client = await session.client();
  const stored: Artifact[] = [];
  for (const name of files) {
    const file = new Blob([new Uint8Array(await readSource(name))]);
    const body = { file, name: name === '-' ? 'stdin' : path.basename(name) };
    const artifact = await client.call(routes.artifacts.upload, { body });
    stored.push(artifact);
    out.line(`${artifact.id}  ${bytes(artifact.bytes)}  ${oneLine(artifact.name)}`);
  }
  out.document({ items: stored });
}
