import type { FileEntry, FileKind, SnapshotReport } from '../file-store.js';
import { SandboxError, type SandboxErrorCode } from '../sandbox-error.js';

const RESULT = 1;
const KINDS = new Map<number, FileKind>([
  [1, 'file'],
  [2, 'directory'],
  [4, 'symlink'],
  [8, 'other'],
]);

/** Report of a file worker, beside its data. The meaning of `numbers` depends on the verb. */
export interface FileReport {
  numbers: [number, number, number];
  path: string;
  omitted: SnapshotReport['omitted'];
}

/** The bit set of these kinds in a request. */
export function kindBits(kinds: readonly FileKind[] | undefined): number {
  let bits = 0;
  for (const [bit, kind] of KINDS) if (kinds === undefined || kinds.includes(kind)) bits |= bit;
  return bits;
}

export function kindOfBit(bit: number): FileKind {
  return KINDS.get(bit) ?? 'other';
}

export function decodeFileReport(bytes: Buffer): FileReport {
  const report: FileReport = { numbers: [0, 0, 0], path: '', omitted: [] };
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    if (reader.byte() === RESULT) {
      report.numbers = [reader.number(), reader.number(), reader.number()];
      report.path = reader.string();
    } else {
      report.omitted.push({ path: reader.string(), reason: reader.string() });
    }
  }
  return report;
}

export function decodeEntries(bytes: Buffer): FileEntry[] {
  const entries: FileEntry[] = [];
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    const kind = kindOfBit(reader.short());
    const size = reader.number();
    entries.push({ path: reader.string(), kind, bytes: size });
  }
  return entries;
}

class Reader {
  #at = 0;

  constructor(private readonly bytes: Buffer) {}

  get isAtEnd(): boolean {
    return this.#at >= this.bytes.length;
  }

  byte(): number {
    return this.bytes.readUInt8(this.#take(1));
  }

  short(): number {
    return this.bytes.readUInt32LE(this.#take(4));
  }

  number(): number {
    return Number(this.bytes.readBigUInt64LE(this.#take(8)));
  }

  string(): string {
    const length = this.short();
    const at = this.#take(length);
    return this.bytes.toString('utf8', at, at + length);
  }

  #take(length: number): number {
    const at = this.#at;
    if (at + length > this.bytes.length) throw new RangeError('report cut short');
    this.#at += length;
    return at;
  }
}

/** Exit codes of file workers, in the order of `enum file_error` in `native/wire.h`. */
const ERRORS: readonly (readonly [SandboxErrorCode, string])[] = [
  ['unavailable', 'the sandbox refused without a reason'],
  ['not_found', 'no such file or directory'],
  ['not_permitted', 'not permitted'],
  ['is_directory', 'is a directory'],
  ['not_directory', 'not a directory'],
  ['not_regular_file', 'not a regular file'],
  ['symlink_loop', 'too many symbolic links'],
  ['too_large', 'too large'],
  ['no_space', 'no space left on the disk'],
  ['invalid_path', 'invalid path'],
  ['unavailable', 'the sandbox could not do it'],
  ['invalid_argument', 'the archive is cut short or damaged'],
];

export function errorOfCode(exitCode: number): SandboxError {
  const [code, message] = ERRORS[exitCode] ??
    ERRORS[0] ?? ['unavailable', 'unknown exit code of a file worker'];
  return new SandboxError(code, message);
}
