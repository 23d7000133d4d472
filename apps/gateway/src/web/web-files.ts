import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** How a file may be packed, by the name of the content coding; the best first. Built files lie packed beside the plain. */
const PACKED = { br: '.br', gzip: '.gz' } as const;
export type Coding = keyof typeof PACKED;
export const CODINGS = Object.keys(PACKED) as Coding[];

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

export interface WebFile {
  bytes: Buffer;
  packed: Partial<Record<Coding, Buffer>>;
  mediaType: string;
  etag: string;
}

/** The files of the web app by their address; the page of every screen is `/index.html`. */
export type WebFiles = ReadonlyMap<string, WebFile>;

/** Reads a built web app into memory, once: no address reaches the disk. Null when there is none in the folder. */
export async function readWebFiles(folder: string): Promise<WebFiles | null> {
  const names = await namesIn(folder);
  if (!names.includes('index.html')) return null;
  const plain = names.filter((name) => Object.hasOwn(MEDIA_TYPES, path.extname(name)));
  const files = plain.map(async (name) => {
    const address = `/${name.replaceAll(path.sep, '/')}`;
    return [address, await readWebFile(folder, name, new Set(names))] as const;
  });
  return new Map(await Promise.all(files));
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function readWebFile(folder: string, name: string, names: ReadonlySet<string>): Promise<WebFile> {
  const bytes = await readFile(path.join(folder, name));
  const codings = CODINGS.filter((coding) => names.has(name + PACKED[coding]));
  const packed = codings.map(
    async (coding) => [coding, await readFile(path.join(folder, name + PACKED[coding]))] as const,
  );
  return {
    bytes,
    packed: Object.fromEntries(await Promise.all(packed)),
    mediaType: MEDIA_TYPES[path.extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
  };
}
