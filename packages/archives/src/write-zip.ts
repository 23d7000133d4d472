import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { ZipError } from './read-zip.js';

export interface ZipEntry {
  name: string;
  content: string;
}

/** The earliest of the format: the same content is the same archive. */
const MTIME = new Date(1980, 0, 1);

/** A zip archive as its entries come; two entries are held at a time, and the directory. Throws for a name that `openZip` refuses. */
export async function* zipBytes(
  entries: AsyncIterable<ZipEntry>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const closed = new Promise<never>((_resolve, reject) => {
    output.once('close', () => reject(new Error('The archive is not read any further')));
  });
  closed.catch(() => {});
  const feeding = feed(zip, entries, closed).catch((error: Error) => output.destroy(error));
  yield* output as AsyncIterable<Uint8Array>;
  await feeding;
}

/** The next entry is fetched when the one before is being written. */
async function feed(zip: ZipFile, entries: AsyncIterable<ZipEntry>, closed: Promise<never>): Promise<void> {
  const names = new Set<string>();
  for await (const { name, content } of entries) {
    if (names.has(name)) throw new ZipError(name, 'is in the archive twice');
    names.add(name);
    const started = new Promise<void>((resolve) => {
      zip.addReadStreamLazy(name, { mtime: MTIME, forceDosTimestamp: true }, (done) => {
        resolve();
        done(null, Readable.from([Buffer.from(content)]));
      });
    });
    await Promise.race([started, closed]);
  }
  zip.end();
}
