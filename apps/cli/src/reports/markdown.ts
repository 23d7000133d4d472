import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from '../command-error.js';
import type { Session } from '../session/session.js';

/** A table in Markdown; cells are made safe for it. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text that Markdown takes for nothing but text, on one line. */
export function plain(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(/[\\`*_{}[\]<>#|~]/g, '\\$&');
}

function cell(text: string): string {
  return text.replace(/\s+/gu, ' ').replaceAll('|', '\\|');
}

/** The files for CI that a command can write beside its result. */
export interface ReportFiles {
  junit?: string;
  markdown?: string;
}

/** Fails for a file that cannot be written, so that no long work ends without its report. Creates nothing. */
export async function checkReportFiles({ junit, markdown }: ReportFiles): Promise<void> {
  for (const file of [junit, markdown]) {
    if (file !== undefined)
      await checkWritable(file).catch((cause) => Promise.reject(unwritable(file, cause)));
  }
}

async function checkWritable(file: string): Promise<void> {
  const found = await stat(file).catch((error) => {
    if (error.code !== 'ENOENT' || file.endsWith(path.sep)) throw error;
    return undefined;
  });
  if (found?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  await access(found === undefined ? path.dirname(file) : file, constants.W_OK);
}

function unwritable(file: string, cause: NodeJS.ErrnoException): CommandError {
  return new CommandError('usage', `${file} cannot be written: ${cause.code ?? cause.message}`, {
    hint: HINTS[cause.code ?? ''] ?? 'Name another file.',
    cause,
  });
}

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'Create its folder first, or name another file.',
  EISDIR: 'It is a folder: name a file in it.',
};

/** Writes the requested ones. */
export async function writeReports(
  { out }: Session,
  files: ReportFiles,
  texts: { [Kind in keyof ReportFiles]: () => string },
): Promise<void> {
  for (const kind of ['junit', 'markdown'] as const) {
    const file = files[kind];
    const text = texts[kind];
    if (file === undefined || text === undefined) continue;
    await writeFile(file, text()).catch((cause) => Promise.reject(unwritable(file, cause)));
    out.note(`wrote ${file}`);
  }
}
