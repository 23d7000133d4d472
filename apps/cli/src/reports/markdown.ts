import { writeFile } from 'node:fs/promises';
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
    await writeFile(file, text()).catch((cause) => {
      throw new CommandError('usage', `${file} cannot be written: ${cause.code ?? cause.message}`, { cause });
    });
    out.note(`wrote ${file}`);
  }
}
