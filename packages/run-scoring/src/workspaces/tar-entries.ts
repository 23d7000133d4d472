const BLOCK = 512;
const LONG_TEXT_MAX = 1 << 20;

/** One entry of a snapshot: `path` and `link` are absolute, `link` is '' where the entry is none. */
export interface TarEntry {
  readonly path: string;
  readonly link: string;
  readonly kind: 'file' | 'hard_link' | 'symbolic_link' | 'directory' | 'other';
}

/** Receives a snapshot as it is read. */
export interface TarReader {
  entry(entry: TarEntry): void;
  /** A part of the content of the last entry. */
  content(bytes: Uint8Array): void;
}

const KINDS: Record<string, TarEntry['kind']> = {
  '0': 'file',
  '\0': 'file',
  '1': 'hard_link',
  '2': 'symbolic_link',
  '5': 'directory',
};

/** A snapshot that is no tar file: it was not written by us, or its end is missing. */
export class TarError extends Error {
  override readonly name = 'TarError';
}

/** Reads the tar dialect of snapshots (ustar headers, GNU `L` and `K` entries) from chunks cut anywhere. */
export class TarEntries {
  private held = Buffer.alloc(0);
  private contentLeft = 0;
  private paddingLeft = 0;
  private long: { kind: 'L' | 'K'; parts: Buffer[] } | undefined;
  private longPath: string | undefined;
  private longLink: string | undefined;
  private isOver = false;

  constructor(private readonly reader: TarReader) {}

  push(chunk: Uint8Array): void {
    this.held = this.held.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.held, chunk]);
    while (!this.isOver && this.step());
  }

  /** Fails with `TarError` when something is missing. */
  end(): void {
    if (!this.isOver) throw new TarError('the snapshot ends too early');
  }

  private step(): boolean {
    if (this.contentLeft > 0) return this.takeContent();
    if (this.paddingLeft > 0) return this.skipPadding();
    if (this.held.length < BLOCK) return false;
    this.takeHeader(this.take(BLOCK));
    return true;
  }

  private takeContent(): boolean {
    if (this.held.length === 0) return false;
    const bytes = this.take(Math.min(this.held.length, this.contentLeft));
    this.contentLeft -= bytes.length;
    if (this.long === undefined) this.reader.content(bytes);
    else this.long.parts.push(Buffer.from(bytes));
    if (this.contentLeft === 0) this.endLong();
    return true;
  }

  private skipPadding(): boolean {
    if (this.held.length === 0) return false;
    this.paddingLeft -= this.take(Math.min(this.held.length, this.paddingLeft)).length;
    return true;
  }

  private take(count: number): Buffer {
    const taken = this.held.subarray(0, count);
    this.held = this.held.subarray(count);
    return taken;
  }

  private takeHeader(header: Buffer): void {
    if (header.every((byte) => byte === 0)) {
      this.isOver = true;
      return;
    }
    if (checksumOf(header) !== octal(header, 148, 8))
      throw new TarError('a header of the snapshot is damaged');
    const size = octal(header, 124, 12);
    const type = String.fromCharCode(header[156] ?? 0);
    this.contentLeft = size;
    this.paddingLeft = (BLOCK - (size % BLOCK)) % BLOCK;
    if (type === 'L' || type === 'K') {
      if (size > LONG_TEXT_MAX) throw new TarError('a name of the snapshot is too long');
      this.long = { kind: type, parts: [] };
      return;
    }
    const link = this.longLink ?? text(header, 157, 100);
    this.reader.entry({
      path: absolute(this.longPath ?? text(header, 0, 100)),
      link: type === '1' ? absolute(link) : link,
      kind: KINDS[type] ?? 'other',
    });
    this.longPath = undefined;
    this.longLink = undefined;
  }

  private endLong(): void {
    if (this.long === undefined) return;
    const value = Buffer.concat(this.long.parts).toString().replace(/\0+$/, '');
    if (this.long.kind === 'L') this.longPath = value;
    else this.longLink = value;
    this.long = undefined;
  }
}

function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

function octal(header: Buffer, at: number, width: number): number {
  return Number.parseInt(text(header, at, width).trim() || '0', 8);
}

function text(header: Buffer, at: number, width: number): string {
  const field = header.subarray(at, at + width);
  const end = field.indexOf(0);
  return (end < 0 ? field : field.subarray(0, end)).toString();
}

function absolute(path: string): string {
  return `/${path.replace(/^\.?\/+/, '').replace(/\/+$/, '')}`;
}
