import { type FileHandle, open } from 'node:fs/promises';
import type { ResultsRecord } from './records.js';

const CHUNK_BYTES = 262_144;
const NEWLINE = 0x0a;
const FLUSH_EVERY_MS = 200;
/** With more than this on its way to the disk, no further attempt is begun. */
const UNWRITTEN_BYTES_MAX = 8_388_608;

/**
 * Appends records, one JSON document on each line: what was written stays readable whatever ends the process, but for a last
 * line that is cut off.
 */
export class ResultsWriter {
  /** Lines are encoded at once: as strings, many of them would wait for the disk. */
  private chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  private chunkBytes = 0;
  private readonly encoder = new TextEncoder();
  private readonly spare: Buffer<ArrayBuffer>[] = [];
  private unwrittenBytes = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private failure: unknown;

  private constructor(private readonly handle: FileHandle) {}

  /** Fails as the file system does, with `EEXIST` for a file that is there. */
  static async create(file: string): Promise<ResultsWriter> {
    return new ResultsWriter(await open(file, 'wx', 0o600));
  }

  /** Continues after the last complete line, which ends at `bytes`. */
  static async continue(file: string, bytes: number): Promise<ResultsWriter> {
    const handle = await open(file, 'r+');
    await handle.truncate(bytes);
    await handle.close();
    return new ResultsWriter(await open(file, 'a'));
  }

  add(record: ResultsRecord): void {
    this.addLine(JSON.stringify(record));
  }

  /** A record that is JSON already. */
  addLine(line: string): void {
    if (line.length >= CHUNK_BYTES) {
      this.addLong(line);
      return;
    }
    for (let at = 0; at < line.length; ) {
      const { read, written } = this.encoder.encodeInto(line.slice(at), this.chunk.subarray(this.chunkBytes));
      this.chunkBytes += written;
      at += read;
      if (at < line.length) this.flush();
    }
    if (this.chunkBytes === CHUNK_BYTES) this.flush();
    this.chunkBytes = this.chunk.writeUInt8(NEWLINE, this.chunkBytes);
    this.timer ??= setTimeout(() => this.flush(), FLUSH_EVERY_MS);
  }

  /** Resolves when few enough bytes are on their way. Fails when the file cannot be written. */
  async drained(): Promise<void> {
    if (this.unwrittenBytes > UNWRITTEN_BYTES_MAX) {
      this.flush();
      await this.writing;
    }
    if (this.failure !== undefined) throw this.failure;
  }

  /** Writes the rest and closes the file. Fails when it cannot be written. */
  async close(): Promise<void> {
    this.flush();
    await this.writing;
    try {
      if (this.failure !== undefined) throw this.failure;
      await this.handle.sync();
    } finally {
      await this.handle.close();
    }
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.chunkBytes === 0) return;
    const { chunk, chunkBytes: bytes } = this;
    this.chunk = this.spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
    this.chunkBytes = 0;
    this.write(bytes, async () => {
      await this.handle.appendFile(chunk.subarray(0, bytes));
      this.spare.push(chunk);
    });
  }

  /** A line of many megabytes, as the last one of a large run, is encoded as it is written. */
  private addLong(line: string): void {
    this.flush();
    this.write(line.length, async () => {
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      for (let at = 0; at < line.length; ) {
        const { read, written } = this.encoder.encodeInto(line.slice(at), chunk);
        await this.handle.appendFile(chunk.subarray(0, written));
        at += read;
      }
      await this.handle.appendFile('\n');
    });
  }

  private write(bytes: number, append: () => Promise<void>): void {
    this.unwrittenBytes += bytes;
    this.writing = this.writing
      .then(async () => {
        // After a failure nothing may follow: the file would seem complete.
        if (this.failure === undefined) await append();
      })
      .catch((error: unknown) => {
        this.failure ??= error;
      })
      .then(() => {
        this.unwrittenBytes -= bytes;
      });
  }
}
