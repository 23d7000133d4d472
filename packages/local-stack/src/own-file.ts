import { rename, writeFile } from 'node:fs/promises';

/** Writes JSON at once or not at all, for its owner alone. */
export async function writeOwnFile(file: string, content: object): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
}
