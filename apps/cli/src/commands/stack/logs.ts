import { type FileHandle, open } from 'node:fs/promises';
import { setInterval } from 'node:timers/promises';
import { CommandError } from '../../command-error.js';
import type { Session } from '../../session/session.js';
import type { Output } from '../../terminal/output.js';
import { dataFolder, upCommand } from './data-folder.js';
import { type LogFilter, LogLines, type LogRecord } from './log-lines.js';

interface Input extends LogFilter {
  data?: string;
  lines: number;
  follow?: boolean;
}

/** Older records than in so many bytes at the end of the file are not looked for. */
const TAIL_BYTES_MAX = 8 * 1024 * 1024;
const CHUNK_BYTES = 256 * 1024;
const LOOK_EVERY_MS = 250;

/** The end of the log of the embedded stack, and what is added to it while it is followed. */
export async function showLogs(
  session: Session,
  { data, lines, follow = false, ...filter }: Input,
): Promise<undefined> {
  const { out } = session;
  const { folder } = await dataFolder(data);
  const { stackLogIn } = await import('@agentclash/local-stack');
  const log = stackLogIn(folder);
  const file = await openLog(log, folder);
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES_MAX);
    const reader = new LogLines(filter, { isCut: start > 0 });
    const records: LogRecord[] = [];
    for await (const chunk of chunksOf(file, { start, end: size })) {
      records.push(...reader.read(chunk));
      records.splice(0, Math.max(0, records.length - lines));
    }
    if (!follow) {
      records.push(...reader.rest());
      const last = records.slice(-lines);
      out.result({ log, items: last.map(({ document }) => document) }, () =>
        last.map((record) => lineOf(out, record)).join('\n'),
      );
      if (last.length === 0) out.note(`No such records in ${log}`);
      return;
    }
    for (const record of records) print(out, record);
    await followFile(out, { file, reader, from: size });
  } finally {
    await file.close();
  }
}

async function openLog(log: string, folder: string): Promise<FileHandle> {
  try {
    return await open(log);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR') {
      throw new CommandError('usage', `${log} cannot be read (${code})`, { cause });
    }
    throw new CommandError('not_found', `There is no log ${log}`, {
      hint: `Start the stack: ${await upCommand(folder)}. Services on Kubernetes write to their containers.`,
      cause,
    });
  }
}

/** Until stdout is closed or the command is interrupted. */
async function followFile(
  out: Output,
  { file, reader, from }: { file: FileHandle; reader: LogLines; from: number },
): Promise<void> {
  let read = from;
  try {
    for await (const _ of setInterval(LOOK_EVERY_MS, undefined, { signal: out.unread })) {
      const { size } = await file.stat();
      if (size < read) read = 0;
      for await (const chunk of chunksOf(file, { start: read, end: size })) {
        for (const record of reader.read(chunk)) print(out, record);
      }
      read = size;
    }
  } catch (error) {
    if (!out.unread.aborted) throw error;
  }
}

async function* chunksOf(file: FileHandle, { start, end }: { start: number; end: number }) {
  for (let at = start; at < end; ) {
    const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, end - at));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function print(out: Output, record: LogRecord): void {
  out.record(record.document, () => lineOf(out, record));
}

function lineOf({ paint }: Output, { time, level, service, text }: LogRecord): string {
  const colors = { error: paint.red, fatal: paint.red, warn: paint.yellow } as Partial<
    Record<string, (text: string) => string>
  >;
  const shown = colors[level ?? '']?.(level ?? '') ?? level;
  return [time === undefined ? undefined : paint.dim(time), shown, service && paint.bold(service), text]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
}
