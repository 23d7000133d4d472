import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getRun } from '../../lookup/runs.js';
import type { Session } from '../../session.js';
import { recordedLines } from './recorded-events.js';

interface Input {
  run: string;
  output?: string;
}

export async function run(session: Session, { run: reference, output }: Input): Promise<undefined> {
  const client = await session.client();
  const { id } = await getRun(client, reference);
  const lines = Readable.from(withLineEnds(recordedLines(client, id)));
  if (output === undefined || output === '-') {
    await pipeline(lines, process.stdout, { end: false });
    return;
  }
  await pipeline(lines, createWriteStream(output));
  session.out.result({ run_id: id, file: output }, () => output);
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  for await (const line of lines) yield `${line}\n`;
}
