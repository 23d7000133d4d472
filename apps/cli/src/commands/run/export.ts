import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session.js';
import { printStream } from '../../terminal/print-stream.js';
import { saveFile } from '../artifact/save-file.js';
import { recordedLines } from './recorded-events.js';

interface Input {
  run: string;
  output?: string;
}

export async function run(session: Session, { run: reference, output }: Input): Promise<undefined> {
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const lines = encoded(recordedLines(client, id));
  if (output === undefined || output === '-') {
    await printStream(session.out, lines);
    return;
  }
  await saveFile(output, lines, { mayReplace: true });
  session.out.result({ run_id: id, file: output }, () => output);
}

async function* encoded(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const line of lines) yield Buffer.from(`${line}\n`);
}
