import { openAsBlob, readFileSync, realpathSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { PackDocument, PackWithFiles } from '@agentclash/api';
import { type CaseText, filesBeside, type OpenPack, type ReadOptions } from '@agentclash/challengepack';
import { CommandError } from '../../command-error.js';

/** Larger files are not read to try what they hold, nor are more bytes of all files together. */
const TEXT_BYTES_MAX = 1_048_576;
const TEXTS_BYTES_MAX = 16 * TEXT_BYTES_MAX;

/** The facts about the files beside a pack; nothing for standard input. */
export function packFolder(file: string): Pick<ReadOptions, 'fileExists' | 'fileBytes' | 'fileText'> {
  if (file === '-') return {};
  const folder = folderOf(file);
  const texts = new Map<string, string | undefined>();
  let bytesLeft = TEXTS_BYTES_MAX;
  const read = (asset: string) => {
    const found = findBeside(folder, asset);
    const bytes = found === undefined ? 0 : statSync(found).size;
    if (found === undefined || bytes > Math.min(TEXT_BYTES_MAX, bytesLeft)) return undefined;
    bytesLeft -= bytes;
    return textIn(found);
  };
  return {
    fileExists: (asset) => findBeside(folder, asset) !== undefined,
    fileBytes: ({ path: asset, artifact_id }) => {
      const found = asset === undefined || artifact_id !== undefined ? undefined : findBeside(folder, asset);
      return found === undefined ? undefined : statSync(found).size;
    },
    fileText: (asset) => {
      if (!texts.has(asset)) texts.set(asset, read(asset));
      return texts.get(asset);
    },
  };
}

/** Reads the cases of data files beside a pack; those of stored artifacts are on the server. */
export async function readDataFiles(
  file: string,
  { files }: Pick<OpenPack, 'files'>,
  take: (inputSetKey: string, cases: CaseText[]) => void = () => {},
): Promise<void> {
  if (file === '-' || files.length === 0) return;
  const { readLocalCases } = await import('@agentclash/rows');
  const folder = folderOf(file);
  for (const each of files) {
    const { path: name, artifact_id } = each.settings;
    const found = name === undefined || artifact_id !== undefined ? undefined : findBeside(folder, name);
    if (found !== undefined) await readLocalCases(each, found, (cases) => take(each.setKey, cases));
  }
}

/** The bytes of a file beside the pack; undefined where there is none. */
export async function bytesBeside(file: string, asset: string): Promise<Uint8Array | undefined> {
  const found = file === '-' ? undefined : findBeside(folderOf(file), asset);
  return found === undefined ? undefined : await readFile(found);
}

/** Undefined for what is no text, such as an archive. */
function textIn(file: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * A pack as it is sent: with the files beside it that it refers to. Those that are not there are not sent, and the
 * server reports at which asset each is missing. Standard input has no folder. `shown` gets the sum of all bytes, and
 * returns what to call as they are sent.
 */
export async function withFilesBeside(
  file: string,
  source: Uint8Array,
  shown?: (bytes: number) => PackWithFiles['onProgress'],
): Promise<PackDocument | PackWithFiles> {
  if (file === '-') return source;
  const folder = folderOf(file);
  const files: PackWithFiles['files'][number][] = [];
  for (const asset of filesBeside(source)) {
    const found = findBeside(folder, asset);
    if (found !== undefined) files.push({ name: asset, file: await open(found, asset) });
  }
  if (files.length === 0) return source;
  const onProgress = shown?.(files.reduce((sum, each) => sum + each.file.size, source.length));
  return { bundle: source, files, ...(onProgress && { onProgress }) };
}

/** Read only while it is sent. */
async function open(file: string, asset: string): Promise<Blob> {
  try {
    return await openAsBlob(file);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new CommandError('usage', `${asset} beside the pack cannot be read (${code})`, { cause });
  }
}

function folderOf(file: string): string {
  return path.dirname(path.resolve(file));
}

/** The real path of a file in the pack's folder. What a link puts outside of it is not there. */
function findBeside(folder: string, asset: string): string | undefined {
  try {
    const real = realpathSync(path.join(folder, asset));
    const inside = path.relative(realpathSync(folder), real);
    const isInside = inside !== '' && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside);
    return isInside && statSync(real).isFile() ? real : undefined;
  } catch {
    return undefined;
  }
}
