import * as zlib from 'node:zlib';
import { type Entry, fromBuffer, type ZipFile } from 'yauzl';

/** An archive that cannot be read, with the entry. */
export class ZipError extends Error {
  override readonly name = 'ZipError';

  constructor(
    /** Empty for the archive itself. */
    readonly entry: string,
    message: string,
  ) {
    super(message);
  }
}

export const ZIP_LIMITS = {
  entries: 100_000,
  /** Of one entry, unpacked. */
  entryBytes: 64 * 1_048_576,
  /** Of all entries that are read, unpacked. */
  totalBytes: 512 * 1_048_576,
  /** Of an entry of more than 1 MiB, unpacked to packed. Text is packed to a tenth, a bomb to a thousandth. */
  ratio: 200,
} as const;
export type ZipLimits = { readonly [L in keyof typeof ZIP_LIMITS]: number };

export interface ZipArchive {
  /** Of files, in the order of the directory. */
  readonly names: readonly string[];
  /** The content of an entry. Throws `ZipError`. */
  read(name: string): Promise<Uint8Array>;
}

/** Reads the directory of an archive in memory. Nothing is unpacked before it is read. Throws `ZipError`. */
export async function openZip(bytes: Uint8Array, limits: Partial<ZipLimits> = {}): Promise<ZipArchive> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const zip = await new Promise<ZipFile>((resolve, reject) => {
    fromBuffer(buffer, { lazyEntries: true, autoClose: false }, (error, opened) => {
      if (error) reject(new ZipError('', error.message));
      else resolve(opened);
    });
  });
  const all = { ...ZIP_LIMITS, ...limits };
  if (zip.entryCount > all.entries) throw new ZipError('', `has more than ${all.entries} entries`);
  return new Archive(zip, await entriesOf(zip), all);
}

function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    zip.on('error', (error: Error) => reject(new ZipError('', error.message)));
    zip.on('end', () => resolve(entries));
    zip.on('entry', (entry: Entry) => {
      const { fileName } = entry;
      if (entries.has(fileName)) reject(new ZipError(fileName, 'is in the archive twice'));
      if (!fileName.endsWith('/')) entries.set(fileName, entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}

const RATIO_BYTES_MIN = 1_048_576;
const STORED = 0;
const DEFLATED = 8;
const ZSTANDARD = 93;
const ENCRYPTED = 1;

/** Content as it is in the archive. */
const RAW = { decodeFileData: false } as const;

class Archive implements ZipArchive {
  readonly names: readonly string[];
  #unpacked = 0;

  constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly limits: ZipLimits,
  ) {
    this.names = [...entries.keys()];
  }

  async read(name: string): Promise<Uint8Array> {
    const entry = this.entries.get(name);
    if (entry === undefined) throw new ZipError(name, 'is not in the archive');
    if (entry.generalPurposeBitFlag & ENCRYPTED) throw new ZipError(name, 'is encrypted');
    const left = Math.min(this.limits.entryBytes, this.limits.totalBytes - this.#unpacked);
    const byRatio = Math.max(RATIO_BYTES_MIN, entry.compressedSize * this.limits.ratio);
    const tooLarge = byRatio < left ? this.#unpacksTooFar(name) : this.#tooLarge(name);
    const bytesMax = Math.min(left, byRatio);
    if (entry.uncompressedSize > bytesMax) throw tooLarge;
    const content = this.#unpack(entry, await this.#packed(entry), { bytesMax, tooLarge });
    this.#unpacked += content.length;
    if (zlib.crc32(content) !== entry.crc32) throw new ZipError(name, 'is damaged: its checksum is another');
    return content;
  }

  async #packed(entry: Entry): Promise<Buffer> {
    const parts: Buffer[] = [];
    try {
      const stream = await new Promise<AsyncIterable<Buffer>>((resolve, reject) => {
        this.zip.openReadStream(entry, RAW, (error, opened) => {
          if (error) reject(error);
          else resolve(opened);
        });
      });
      for await (const part of stream) parts.push(part);
    } catch (error) {
      // A header that contradicts itself is a wrong option to the library.
      throw new ZipError(entry.fileName, `cannot be read: ${(error as Error).message}`);
    }
    return Buffer.concat(parts);
  }

  #unpack(
    { compressionMethod: method, fileName }: Entry,
    packed: Buffer,
    { bytesMax, tooLarge }: { bytesMax: number; tooLarge: ZipError },
  ): Buffer {
    // One more byte than allowed: an empty output needs a positive limit.
    const options = { maxOutputLength: bytesMax + 1 };
    try {
      if (method === STORED && packed.length <= bytesMax) return packed;
      if (method === DEFLATED) return zlib.inflateRawSync(packed, options);
      if (method === ZSTANDARD && 'zstdDecompressSync' in zlib)
        return zlib.zstdDecompressSync(packed, options);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge;
      throw new ZipError(fileName, 'cannot be unpacked');
    }
    if (method === STORED) throw tooLarge;
    throw new ZipError(fileName, `is packed by a method that is not known: ${method}`);
  }

  #unpacksTooFar(name: string): ZipError {
    return new ZipError(name, `unpacks to more than ${this.limits.ratio} times its size`);
  }

  #tooLarge(name: string): ZipError {
    const { entryBytes, totalBytes } = this.limits;
    const withOthers = Number.isFinite(totalBytes) ? `, or ${totalBytes} with the others,` : '';
    return new ZipError(name, `is too large: ${entryBytes} bytes${withOthers} are allowed`);
  }
}
