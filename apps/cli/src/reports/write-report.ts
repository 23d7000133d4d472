import { writeFile } from 'node:fs/promises';
import { CommandError } from '../command-error.js';
import type { Session } from '../session.js';

/** The files for CI that a command can write beside its result. */
export interface ReportFiles {
  junit?: string;
  markdown?: string;
}

/** Writes those that were asked for. */
export async function writeReports(
  { out }: Session,
  files: ReportFiles,
  texts: { junit: () => string; markdown: () => string },
): Promise<void> {
  for (const kind of ['junit', 'markdown'] as const) {
    const file = files[kind];
    if (file === undefined) continue;
    await writeFile(file, texts[kind]()).catch((cause) => {
      throw new CommandError('usage', `${file} cannot be written: ${cause.code ?? cause.message}`, { cause });
    });
    out.note(`wrote ${file}`);
  }
}
