import { open, readFile, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { KeyRing, type KeySource } from '../key-ring.js';

/** The token of the vault's key source. */
export const KEY_SOURCE = Symbol('agentclash.key-source');

const Content = z.strictObject({ active: z.string(), keys: z.record(z.string(), z.string()) });

/** Group and others. */
const NOT_OWNER = 0o077;

/** Reads the keys. Throws with what is wrong with the file, without any of its content. */
export async function readKeys(source: KeySource): Promise<KeyRing> {
  if (source.kind === 'environment') return source.ring;
  const { path: file, kind } = source;
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the key file ${file} cannot be read (${error.code})`);
  });
  if (kind === 'managed_file' && ((await stat(file)).mode & NOT_OWNER) !== 0) {
    throw new Error(`the key file ${file} is open to others than its owner: chmod 600 ${file}`);
  }
  const content = Content.safeParse(parseJson(text));
  if (!content.success) {
    throw new Error(`the key file ${file} is not {"active": id, "keys": {id: base64 of 32 bytes}}`);
  }
  try {
    return new KeyRing(content.data.keys, content.data.active);
  } catch (error) {
    throw new Error(`the key file ${file}: ${(error as Error).message}`);
  }
}

/** Replaces the file at once and for good: after a crash it holds the old keys or the new ones. */
export async function writeKeys(file: string, ring: KeyRing): Promise<void> {
  const draft = `${file}.new`;
  const handle = await open(draft, 'w', 0o600);
  try {
    await handle.chmod(0o600);
    await handle.writeFile(`${JSON.stringify(ring.reveal(), null, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, file);
  const folder = await open(path.dirname(file));
  await folder.sync().finally(() => folder.close());
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
