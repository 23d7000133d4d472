import { pipeline } from 'node:stream/promises';
import { type Extract, extract, type Header, type Pack, pack } from 'tar-stream';
import { ImageError, invalidImage } from '../image-error.js';
import { entryPath, parentOf, shown } from './entry-check.js';

/** Bounds of one layer. */
export interface LayerLimits {
  /** Of all content, unpacked. */
  bytesMax: number;
  entriesMax: number;
}

export interface LayerReport {
  bytes: number;
  entries: number;
}

/** An entry as it is read. */
type Entry = Extract extends AsyncIterable<infer Each> ? Each : never;
/** An entry as it is written. */
type Headers = Partial<Header> & { name: string };

const WHITEOUT = '.wh.';
const OPAQUE = '.wh..wh..opq';
/** Of the old union file systems that the format comes from. */
const BOOKKEEPING = '.wh..wh.';
const OPAQUE_ATTRIBUTE = { 'SCHILY.xattr.user.overlay.opaque': 'y' };
/** Without set-uid and set-gid. */
const MODE_BITS = 0o1777;
const ID_MAX = 65_535;

/**
 * Turns the tar file of a layer into one that, unpacked by root, gives a directory for an overlay with `userxattr`: what is
 * deleted becomes a device 0/0 and a directory that hides those below it gets an attribute. Devices, extended attributes and
 * set-id bits are left out. Throws `invalid_image`, naming the entry, for whatever could lead out of the directory or
 * exceeds the limits.
 */
export async function overlayTar(
  layer: AsyncIterable<Uint8Array>,
  write: (chunks: AsyncIterable<Uint8Array>) => Promise<void>,
  limits: LayerLimits,
  of: string,
): Promise<LayerReport> {
  const conversion = new Conversion(limits, of);
  const reader = extract();
  const writing = write(bytesOf(conversion.output));
  const reading = pipeline(layer, reader);
  try {
    await Promise.all([reading, conversion.run(reader), writing]);
  } catch (error) {
    conversion.output.destroy();
    reader.destroy();
    await Promise.allSettled([reading, writing]);
    throw asImageError(error, of);
  }
  return conversion.report;
}

async function* bytesOf(chunks: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    if (chunk instanceof Uint8Array) yield chunk;
  }
}

function asImageError(error: unknown, of: string): unknown {
  if (error instanceof ImageError) return error;
  const isOfTar = error instanceof Error && /tar header|Unexpected end of data|Invalid/i.test(error.message);
  return isOfTar ? invalidImage(`${of} is no whole tar file: ${(error as Error).message}`) : error;
}

class Conversion {
  readonly output: Pack = pack();
  readonly report: LayerReport = { bytes: 0, entries: 0 };
  /** By path; a link or a file that is not a directory has no entries below it. */
  readonly #kinds = new Map<string, 'file' | 'directory' | 'link'>();
  readonly #directories = new Map<string, Headers>();
  readonly #opaque = new Set<string>();
  readonly #removed = new Set<string>();

  constructor(
    private readonly limits: LayerLimits,
    private readonly of: string,
  ) {}

  async run(entries: AsyncIterable<Entry>): Promise<void> {
    for await (const entry of entries) await this.#take(entry);
    await this.#finish();
    this.output.finalize();
  }

  async #take(entry: Entry): Promise<void> {
    const { header } = entry;
    this.report.entries += 1;
    if (this.report.entries > this.limits.entriesMax) {
      throw invalidImage(`${this.of} has more than ${this.limits.entriesMax} entries`);
    }
    const path = entryPath(header.name, this.of);
    this.#checkLocation(path);
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (name.startsWith(WHITEOUT)) {
      this.#takeMark(path, name);
      entry.resume();
      return;
    }
    const plain = this.#plain(path, header);
    if (plain === undefined) {
      entry.resume();
      return;
    }
    await this.#put(plain, plain.type === 'file' ? entry : undefined);
    if (plain.type !== 'file') entry.resume();
  }

  #takeMark(path: string, name: string): void {
    if (name === OPAQUE) this.#opaque.add(parentOf(path));
    else if (!name.startsWith(BOOKKEEPING)) {
      const removed = name.slice(WHITEOUT.length);
      if (removed === '' || removed === '.' || removed === '..') {
        throw invalidImage(`${this.of}: the entry ${shown(path)} removes no name`);
      }
      const parent = parentOf(path);
      this.#removed.add(parent === '' ? removed : `${parent}/${removed}`);
    }
  }

  /** The header as it is written; undefined for devices, sockets and the root. */
  #plain(path: string, header: Headers): Headers | undefined {
    const { type = 'file', uid = 0, gid = 0, size = 0, mode = 0o644, mtime } = header;
    if (path === '' && type !== 'directory') throw invalidImage(`${this.of}: the root is no directory`);
    if (uid > ID_MAX || gid > ID_MAX) {
      throw invalidImage(`${this.of}: the owner of ${shown(path)} is above ${ID_MAX}`);
    }
    const owned = {
      name: path === '' ? './' : path,
      uid,
      gid,
      mode: mode & MODE_BITS,
      ...(mtime && { mtime }),
    };
    switch (type) {
      case 'file':
      case 'contiguous-file':
        this.report.bytes += size;
        if (this.report.bytes > this.limits.bytesMax) {
          throw invalidImage(`${this.of} holds more than ${this.limits.bytesMax} bytes`);
        }
        this.#kinds.set(path, 'file');
        return { ...owned, type: 'file', size };
      case 'directory':
        this.#kinds.set(path, 'directory');
        this.#directories.set(path, { ...owned, type: 'directory' });
        return { ...owned, type: 'directory' };
      case 'symlink':
        this.#kinds.set(path, 'link');
        return { ...owned, type: 'symlink', linkname: this.#target(path, header) };
      case 'link': {
        const target = entryPath(this.#target(path, header), this.of);
        if (this.#kinds.get(target) !== 'file') {
          throw invalidImage(
            `${this.of}: ${shown(path)} is a hard link to ${shown(target)}, which is no file of the layer`,
          );
        }
        this.#kinds.set(path, 'file');
        return { ...owned, type: 'link', linkname: target };
      }
      case 'character-device':
      case 'block-device':
      case 'fifo':
        return undefined;
      default:
        throw invalidImage(`${this.of}: the entry ${shown(path)} is of an unknown kind`);
    }
  }

  #target(path: string, { linkname }: Headers): string {
    if (linkname) return linkname;
    throw invalidImage(`${this.of}: the link ${shown(path)} leads nowhere`);
  }

  /** An entry below a link of the same layer would be written wherever that leads. */
  #checkLocation(path: string): void {
    for (let parent = parentOf(path); parent !== ''; parent = parentOf(parent)) {
      const kind = this.#kinds.get(parent);
      if (kind === 'directory') return;
      if (kind !== undefined) {
        throw invalidImage(
          `${this.of}: the entry ${shown(path)} lies below ${shown(parent)}, which is a ${kind}`,
        );
      }
    }
  }

  /** A name that is deleted and added in one layer is only added. */
  async #finish(): Promise<void> {
    for (const path of this.#removed) {
      const kind = this.#kinds.get(path);
      if (kind === 'directory') this.#opaque.add(path);
      if (kind === undefined) {
        this.#checkLocation(path);
        await this.#put({ name: path, type: 'character-device', devmajor: 0, devminor: 0, mode: 0 });
      }
    }
    for (const path of this.#opaque) {
      if (path === '') throw invalidImage(`${this.of} hides the whole image below it`);
      const kind = this.#kinds.get(path);
      if (kind !== undefined && kind !== 'directory') continue;
      this.#checkLocation(path);
      const header = this.#directories.get(path) ?? { name: path, type: 'directory', mode: 0o755 };
      await this.#put({ ...header, pax: OPAQUE_ATTRIBUTE });
    }
  }

  async #put(header: Headers, content?: Entry): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const settle = (error?: Error | null) => (error ? reject(error) : resolve());
      if (content === undefined) this.output.entry(header, '', settle);
      else {
        const written = this.output.entry(header, settle);
        pipeline(content, written).catch(reject);
      }
    });
  }
}
