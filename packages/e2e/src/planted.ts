import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** In no form may the value be found: as it is, in base64 at any offset, in hex. */
export function formsOf(value: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) =>
    Buffer.from(' '.repeat(offset) + value)
      .toString('base64')
      .slice(4, -4),
  );
  return [value, Buffer.from(value).toString('hex'), ...inBase64];
}

/** The files below a folder that hold any of the texts. */
export function filesWith(texts: readonly string[], folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      const content = readFileSync(file);
      return texts.some((text) => content.includes(text));
    });
}
