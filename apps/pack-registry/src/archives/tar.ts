import { gunzipSync } from 'node:zlib';
import {
  ArchiveError,
  ENTRIES_MAX,
  normalPath,
  refuseLarge,
  rejectDecompressionBomb,
  UNPACKED_BYTES_MAX,
} from './archive-errors.js';
import type { ArchiveEntry } from './zip.js';

const BLOCK = 512;
const REGULAR = new Set(['0', '\0', '7']);
/** Long names of other writers: pax headers for the next entry or for all, and GNU names. */
const PAX = 'x';
const GNU_NAME = 'L';
const SKIPPED = new Set(['g', 'K']);

/** Unpacks gzip, within bounds. Throws an ArchiveError. */
export function gunzipped(archive: Buffer): Buffer {
  let tar: Buffer;
  try {
    tar = gunzipSync(archive, { maxOutputLength: UNPACKED_BYTES_MAX });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') {
      throw new ArchiveError('it is no gzip archive, or damaged');
    }
    throw new ArchiveError(`it unpacks to more than ${UNPACKED_BYTES_MAX / 1024 / 1024} MiB`);
  }
  rejectDecompressionBomb(archive.length, tar.length);
  return tar;
}

/** The entries of a tar archive (ustar, pax and GNU names). Throws an ArchiveError. */
export function tarEntries(archive: Buffer): ArchiveEntry[] {
  const entries: ArchiveEntry[] = [];
  let longName: string | undefined;
  let headers = 0;
  for (let at = 0; at + BLOCK <= archive.length && !isEnd(archive, at); ) {
    headers += 1;
    if (headers > ENTRIES_MAX) throw new ArchiveError(`it has more than ${ENTRIES_MAX} entries`);
    const header = readHeader(archive, at);
    const start = at + BLOCK;
    const data = archive.subarray(start, start + header.bytes);
    if (data.length < header.bytes) throw new ArchiveError('the archive is damaged');
    at = start + Math.ceil(header.bytes / BLOCK) * BLOCK;
    if (header.type === PAX) longName = paxPath(data) ?? longName;
    else if (header.type === GNU_NAME) longName = textIn(data, 0, data.length);
    else if (!SKIPPED.has(header.type)) {
      entries.push({ path: normalPath(longName ?? header.name), read: () => readEntry(header.type, data) });
      longName = undefined;
    }
  }
  if (headers === 0) throw new ArchiveError('it is no tar archive');
  return entries;
}

function readEntry(type: string, data: Buffer): Buffer {
  if (!REGULAR.has(type)) throw new ArchiveError('it is no regular file');
  refuseLarge(data.length);
  return data;
}

function isEnd(archive: Buffer, at: number): boolean {
  return archive.subarray(at, at + BLOCK).every((byte) => byte === 0);
}

interface Header {
  name: string;
  bytes: number;
  type: string;
}

function readHeader(archive: Buffer, at: number): Header {
  const block = archive.subarray(at, at + BLOCK);
  if (checksumOf(block) !== octal(block, 148, 8)) throw new ArchiveError('it is no tar archive, or damaged');
  const isUstar = block.toString('latin1', 257, 262) === 'ustar' && block[263] === 0x30;
  const prefix = isUstar ? textIn(block, 345, 155) : '';
  const name = textIn(block, 0, 100);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    bytes: octal(block, 124, 12),
    type: block.toString('latin1', 156, 157),
  };
}

/** Of all bytes, those of the checksum itself counting as blanks. */
function checksumOf(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

/** Parses an octal field; throws for other text, such as the base-256 sizes of entries of 8 GiB. */
function octal(block: Buffer, at: number, length: number): number {
  const text = block
    .toString('latin1', at, at + length)
    .replace(/[\0 ]+$/, '')
    .trim();
  if (!/^[0-7]{0,11}$/.test(text)) throw new ArchiveError('it is no tar archive, or damaged');
  return Number.parseInt(text || '0', 8);
}

function textIn(bytes: Buffer, at: number, length: number): string {
  const part = bytes.subarray(at, at + length);
  const end = part.indexOf(0);
  return part.toString('utf8', 0, end === -1 ? part.length : end);
}

/** `path` of records of the form `length key=value\n`; the length counts the whole record. */
function paxPath(data: Buffer): string | undefined {
  for (let at = 0; at < data.length; ) {
    const blank = data.indexOf(0x20, at);
    const length = blank === -1 ? Number.NaN : Number(data.toString('latin1', at, blank));
    if (!Number.isInteger(length) || length <= blank - at || at + length > data.length) return undefined;
    const record = data.toString('utf8', blank + 1, at + length - 1);
    if (record.startsWith('path=')) return record.slice('path='.length);
    at += length;
  }
  return undefined;
}
