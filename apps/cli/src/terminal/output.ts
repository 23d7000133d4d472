import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import picocolors from 'picocolors';

export type Paint = ReturnType<typeof picocolors.createColors>;

/** The formats of a table; `json` is a document of its own, as with `--json`. */
export const TABLE_FORMATS = ['table', 'wide', 'json', 'csv'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** How text is laid out: its styles, and the columns of the terminal where there is one. */
export interface Look {
  paint: Paint;
  width?: number | undefined;
  /** Undefined where a command has no choice of formats. */
  format?: TableFormat | undefined;
}

export interface OutputModes {
  json: boolean;
  quiet: boolean;
  color: boolean;
  format?: TableFormat | undefined;
}

/** A terminal's stream, as far as the board needs to know it. */
export interface Screen extends Writable {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

/** Results to stdout, everything else to stderr. */
export class Output {
  readonly paint: Paint;
  private readonly abandonment = new AbortController();

  constructor(
    readonly stdout: Screen,
    readonly stderr: Screen,
    readonly modes: OutputModes,
  ) {
    this.paint = picocolors.createColors(modes.color);
    for (const stream of [stdout, stderr]) stream.on('error', (error) => this.bearLoss(stream, error));
  }

  /**
   * Aborts when stdout is closed, as after `| head`. A command that only prints stops there; a command
   * with a verdict continues to it.
   */
  get unread(): AbortSignal {
    return this.abandonment.signal;
  }

  /** Columns of the terminal that results are read on; undefined in a pipe or file, where nothing need be cut. */
  get width(): number | undefined {
    if (this.format === 'wide' || !this.stdout.isTTY) return undefined;
    return this.stdout.columns || undefined;
  }

  get format(): TableFormat | undefined {
    return this.modes.format;
  }

  /** The command's one result: the document with `--json`, its lines of CSV with `-o csv`, else its text. */
  result(document: unknown, text: () => string, csv?: () => string): void {
    if (this.modes.json) this.document(document);
    else this.stdout.write(this.format === 'csv' && csv !== undefined ? csv() : `${text()}\n`);
  }

  /** The result where the text has been written line by line already. */
  document(document: unknown): void {
    if (this.modes.json) this.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  }

  /** One of many results as they come: a line of NDJSON with `--json`, else its text, if there is one. */
  record(document: unknown, text: () => string | undefined): void {
    const line = this.modes.json ? JSON.stringify(document) : text();
    if (line !== undefined) this.stdout.write(`${line}\n`);
  }

  /** A line for people alone. */
  line(text: string): void {
    if (!this.modes.json) this.stdout.write(`${text}\n`);
  }

  /** Progress, and what to do next: silent with `--quiet`. */
  note(text: string): void {
    if (!this.modes.quiet) this.stderr.write(`${text}\n`);
  }

  /** Writes a line that must not be missed. */
  warn(text: string): void {
    this.stderr.write(`${this.paint.yellow(text)}\n`);
  }

  private bearLoss(stream: Screen, error: NodeJS.ErrnoException): void {
    if (!UNREAD.has(error.code ?? '')) throw error;
    if (stream === this.stdout) this.abandonment.abort(error);
  }
}

/** Error codes of a write when the other end is closed; EIO where a terminal is gone. */
const UNREAD: ReadonlySet<string> = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** Writes all of it to stdout, no faster than it is read; stops quietly when the reader has closed it. */
export async function printStream(
  { stdout, unread }: Output,
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  await pipeline(Readable.from(content), stdout, { end: false }).catch((error: unknown) => {
    if (!unread.aborted) throw error;
  });
}
