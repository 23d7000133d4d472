import { crc32, inflateRawSync } from 'node:zlib';
import {
  ArchiveError,
  ENTRIES_MAX,
  normalPath,
  refuseLarge,
  rejectDecompressionBomb,
} from './archive-errors.js';

/** A file of an archive, not unpacked yet. */
export interface ArchiveEntry {
  /** Normalised. */
  path: string;
  /** Throws an ArchiveError where it is no regular file or cannot be unpacked. */
  read(): Buffer;
}

const END = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const UNIX = 3;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 1;

/** The entries of a zip archive, from its central directory alone. Throws an ArchiveError. */
export function zipEntries(archive: Buffer): ArchiveEntry[] {
  const end = endOf(archive);
  const count = archive.readUInt16LE(end + 10);
  if (count === 0xffff) throw new ArchiveError('a zip archive of that many entries is not supported');
  const entries: ArchiveEntry[] = [];
  let at = archive.readUInt32LE(end + 16);
  for (let index = 0; index < Math.min(count, ENTRIES_MAX); index += 1) {
    if (at + CENTRAL_BYTES > archive.length || archive.readUInt32LE(at) !== CENTRAL) throw broken();
    const nameBytes = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes);
    const header = at;
    entries.push({ path: normalPath(name), read: () => readEntry(archive, header, name) });
    at += CENTRAL_BYTES + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return entries;
}

/** The record at the end, which a comment may follow. */
function endOf(archive: Buffer): number {
  const last = archive.length - END_BYTES;
  for (let at = last; at >= Math.max(0, last - COMMENT_BYTES_MAX); at -= 1) {
    if (archive.readUInt32LE(at) === END) return at;
  }
  throw new ArchiveError('it is no zip archive');
}

function readEntry(archive: Buffer, header: number, name: string): Buffer {
  if (name.endsWith('/') || !isRegular(archive, header)) throw new ArchiveError('it is no regular file');
  if ((archive.readUInt16LE(header + 8) & ENCRYPTED) !== 0) throw new ArchiveError('it is encrypted');
  const [packed, unpacked] = [archive.readUInt32LE(header + 20), archive.readUInt32LE(header + 24)];
  refuseLarge(unpacked);
  rejectDecompressionBomb(packed, unpacked);
  const bytes = unpack(archive.readUInt16LE(header + 10), dataOf(archive, header, packed), unpacked);
  if (bytes.length !== unpacked || crc32(bytes) !== archive.readUInt32LE(header + 16)) throw broken();
  return bytes;
}

function isRegular(archive: Buffer, header: number): boolean {
  if (archive.readUInt8(header + 5) !== UNIX) return true;
  const type = (archive.readUInt32LE(header + 38) >>> 16) & FILE_TYPE;
  return type === 0 || type === REGULAR;
}

function dataOf(archive: Buffer, header: number, packed: number): Buffer {
  const local = archive.readUInt32LE(header + 42);
  if (local + LOCAL_BYTES > archive.length || archive.readUInt32LE(local) !== LOCAL) throw broken();
  const start = local + LOCAL_BYTES + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  if (start + packed > archive.length) throw broken();
  return archive.subarray(start, start + packed);
}

function unpack(method: number, data: Buffer, unpacked: number): Buffer {
  if (method === STORED) return data;
  if (method !== DEFLATED) throw new ArchiveError('its compression is not supported; use deflate');
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, unpacked) });
  } catch {
    throw broken();
  }
}

function broken(): ArchiveError {
  return new ArchiveError('the archive is damaged');
}
