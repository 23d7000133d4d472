import { Readable } from 'node:stream';
import { type Artifact, routes } from '@agentclash/api';
import { CommandError } from '../../command-error.js';
import { artifactIdOf } from '../../lookup/artifacts.js';
import type { Session } from '../../session.js';
import { bytes } from '../../terminal/figures.js';
import { printStream } from '../../terminal/print-stream.js';
import { oneLine } from '../../terminal/printable.js';
import { showTransfer } from '../../terminal/transfer.js';
import { checkedContent } from './checked-content.js';
import { localName } from './local-name.js';
import { saveFile } from './save-file.js';

interface Input {
  id: string;
  output?: string;
  force?: boolean;
}

export async function run(session: Session, input: Input): Promise<undefined> {
  const { output, force = false } = input;
  const { out } = session;
  const client = await session.client();
  const id = await artifactIdOf(client, input.id);
  const params = { artifact_id: id };
  const artifact = await client.call(routes.artifacts.get, { params });
  const target = output ?? localName(artifact);
  const response = await client.call(routes.artifacts.content, { params });
  if (response.body === null) throw new CommandError('unavailable', `The content of ${id} did not come`);
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
