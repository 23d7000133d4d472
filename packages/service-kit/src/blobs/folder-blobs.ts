import { randomUUID } from 'node:crypto';
import { access, constants, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ContractError } from '@agentclash/contracts';
import {
  type BlobSource,
  type BlobStore,
  type ByteRange,
  exists,
  isSha256,
  keyOf,
  type ListedBlob,
  noSuchBlob,
  type StoredBlob,
} from './blob-store.js';
import { chunksOf, Measure } from './measure.js';

/** No upload takes this long: an older file was left by a process that died. */
const ABANDONED_MS = 86_400_000;

/** Blobs as files of a folder: written aside, then renamed into place. */
export class FolderBlobs implements BlobStore {
  constructor(private readonly folder: string) {}

  async put(source: BlobSource, bytesMax = Number.MAX_SAFE_INTEGER): Promise<StoredBlob> {
    const aside = path.join(this.incoming, randomUUID());
    const measure = new Measure(bytesMax);
    try {
      await mkdir(this.incoming, { recursive: true });
      // Opened before anything flows: a source that breaks off at once must not leave a file that is opened later.
      const file = await open(aside, 'wx', 0o600);
      await pipeline(chunksOf(source), measure.through, file.createWriteStream());
      const stored = measure.result();
      const target = this.pathOf(stored.sha256);
      await mkdir(path.dirname(target), { recursive: true });
      await rename(aside, target);
      return stored;
    } catch (error) {
      await rm(aside, { force: true });
      throw unavailableOr(error);
    }
  }

  async get(sha256: string): Promise<Buffer> {
    return await readFile(this.pathOf(sha256)).catch((cause) => {
      throw missingOr(sha256, cause);
    });
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    // Opened before it is returned: a blob that is removed meanwhile can still be read to its end.
    const file = await open(this.pathOf(sha256)).catch((cause) => {
      throw missingOr(sha256, cause);
    });
    return file.createReadStream(range);
  }

  async has(sha256: string): Promise<boolean> {
    return await exists(this.stat(sha256));
  }

  async stat(sha256: string): Promise<StoredBlob> {
    const found = await stat(this.pathOf(sha256)).catch((cause) => {
      throw missingOr(sha256, cause);
    });
    return { sha256, bytes: found.size };
  }

  async remove(sha256: string): Promise<void> {
    await rm(this.pathOf(sha256), { force: true });
  }

  async removeStoredBefore(sha256: string, before: Date): Promise<boolean> {
    const target = this.pathOf(sha256);
    const aside = path.join(this.incoming, randomUUID());
    try {
      if ((await stat(target)).mtimeMs >= before.getTime()) return false;
      await mkdir(this.incoming, { recursive: true });
      await rename(target, aside);
      // Renamed, then checked: bytes that were stored again in between are put back.
      const isFresh = (await stat(aside)).mtimeMs >= before.getTime();
      await (isFresh ? rename(aside, target) : rm(aside, { force: true }));
      return !isFresh;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return false;
      throw unavailableOr(error);
    }
  }

  async list(prefix: string): Promise<ListedBlob[]> {
    const folder = path.join(this.folder, 'sha256', prefix);
    const names = await readdir(folder).catch((error: unknown): string[] => {
      if (systemCode(error) === 'ENOENT') return [];
      throw unavailableOr(error);
    });
    const found: ListedBlob[] = [];
    for (const sha256 of names.filter(isSha256)) {
      // Skips files that are removed concurrently.
      const file = await stat(path.join(folder, sha256)).catch(() => undefined);
      if (file !== undefined) found.push({ sha256, bytes: file.size, storedAt: file.mtime });
    }
    return found;
  }

  async ping(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await access(this.folder, constants.W_OK);
  }

  /** Removes unfinished files of writers that died. */
  async sweep(): Promise<void> {
    const names = await readdir(this.incoming).catch((): string[] => []);
    for (const name of names) {
      const file = path.join(this.incoming, name);
      // Another process may sweep the same file at the same time.
      const since = (await stat(file).catch(() => undefined))?.mtimeMs ?? Date.now();
      if (Date.now() - since > ABANDONED_MS) await rm(file, { force: true });
    }
  }

  private get incoming(): string {
    return path.join(this.folder, 'incoming');
  }

  private pathOf(sha256: string): string {
    return path.join(this.folder, keyOf(sha256));
  }
}

function missingOr(sha256: string, error: unknown): unknown {
  return systemCode(error) === 'ENOENT' ? noSuchBlob(sha256, error) : unavailableOr(error);
}

/** A full or missing disk is an operational error of the store, which may recover. */
function unavailableOr(error: unknown): unknown {
  const isUnavailable = ['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'ESTALE'].includes(
    systemCode(error) ?? '',
  );
  return isUnavailable
    ? new ContractError('unavailable', 'The blob store cannot be used now.', {}, { cause: error })
    : error;
}

function systemCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | null)?.code;
}
