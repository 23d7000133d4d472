import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { S3Settings } from './blob-settings.js';
import {
  type BlobSource,
  type BlobStore,
  type ByteRange,
  exists,
  isSha256,
  keyOf,
  type ListedBlob,
  noSuchBlob,
  type StoredBlob,
} from './blob-store.js';
import { chunksOf, Measure } from './measure.js';
import { isMissing, unavailable } from './s3-failure.js';

/** The protocol's limit of one PutObject. */
const OBJECT_BYTES_MAX = 5_368_709_120;
const PUT_TRIES = 3;
const PUT_MS_MAX = 900_000;
const PING_MS_MAX = 4_000;
/** Bytes that were stored longer ago are stored again: what nothing refers to may be removed as soon as it is old. */
const FRESH_MS = 3_600_000;
/** A removal is aborted after this long; a writer that renews old bytes waits for it and checks them once more. */
const REMOVAL_MS_MAX = 2_000;

/**
 * Blobs as objects of a bucket. A stream is measured in a local file first and sent by one PutObject to its final key:
 * the key is its sha256, an object appears whole or not at all, the server checks the sum, and a send that failed can be
 * repeated. (Uploading in parts and copying would move every byte twice and leave parts behind in a crash.)
 */
export class S3Blobs implements BlobStore {
  constructor(
    private readonly client: S3Client,
    private readonly at: Pick<S3Settings, 'bucket' | 'prefix' | 'spoolFolder'>,
  ) {}

  async put(source: BlobSource, bytesMax = OBJECT_BYTES_MAX): Promise<StoredBlob> {
    const limits = { folder: this.at.spoolFolder, bytesMax: Math.min(bytesMax, OBJECT_BYTES_MAX) };
    return await spooled(source, limits, async (ready) => {
      const { sha256 } = ready.stored;
      const known = await this.find(sha256);
      if (known === undefined) await this.send(ready);
      else if (Date.now() - known.storedAt.getTime() > FRESH_MS) await this.renew(ready);
      return ready.stored;
    });
  }

  async get(sha256: string): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of await this.open(sha256)) parts.push(part);
    return Buffer.concat(parts);
  }

  async open(sha256: string, range?: ByteRange): Promise<Readable> {
    const first = await this.read(sha256, range);
    const wanted = range ?? { start: 0, end: first.bytes - 1 };
    const chunks = resumed(wanted, first.body, async (rest) => (await this.read(sha256, rest)).body);
    const content = Readable.from(chunks, { objectMode: false });
    // A stream that is closed before it was read never starts the generator that would close the connection.
    return content.once('close', () => first.body.destroy());
  }

  async has(sha256: string): Promise<boolean> {
    return await exists(this.stat(sha256));
  }

  async stat(sha256: string): Promise<StoredBlob> {
    const found = await this.find(sha256);
    if (found === undefined) throw noSuchBlob(sha256);
    return { sha256, bytes: found.bytes };
  }

  async removeStoredBefore(sha256: string, before: Date): Promise<boolean> {
    const found = await this.find(sha256);
    if (found === undefined || found.storedAt >= before) return false;
    try {
      const command = new DeleteObjectCommand(this.address(sha256));
      await this.client.send(command, { abortSignal: AbortSignal.timeout(REMOVAL_MS_MAX) });
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw unavailable(error);
    }
  }

  async list(prefix: string): Promise<ListedBlob[]> {
    const { bucket: Bucket, prefix: area } = this.at;
    const Prefix = `${area}sha256/${prefix}/`;
    const found: ListedBlob[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await this.client
        .send(new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }))
        .catch((error: unknown) => {
          throw unavailable(error);
        });
      for (const { Key = '', Size = 0, LastModified = new Date() } of page.Contents ?? []) {
        const sha256 = Key.slice(Prefix.length);
        if (isSha256(sha256)) found.push({ sha256, bytes: Size, storedAt: LastModified });
      }
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return found;
  }

  async remove(sha256: string): Promise<void> {
    try {
      await this.client.send(new DeleteObjectCommand(this.address(sha256)));
    } catch (error) {
      if (!isMissing(error)) throw unavailable(error);
    }
  }

  async ping(): Promise<void> {
    const abortSignal = AbortSignal.timeout(PING_MS_MAX);
    await this.client.send(new HeadBucketCommand({ Bucket: this.at.bucket }), { abortSignal });
  }

  private async find(sha256: string): Promise<ListedBlob | undefined> {
    try {
      const head = await this.client.send(new HeadObjectCommand(this.address(sha256)));
      return { sha256, bytes: head.ContentLength ?? 0, storedAt: head.LastModified ?? new Date() };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw unavailable(error);
    }
  }

  /** Stores old bytes again; a removal that had found them old may still arrive, and is looked after. */
  private async renew(ready: Spooled): Promise<void> {
    await this.send(ready);
    await pause(REMOVAL_MS_MAX);
    if (!(await this.has(ready.stored.sha256))) await this.send(ready);
  }

  private async send({ stored: { sha256, bytes }, body }: Spooled): Promise<void> {
    const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64');
    for (let tried = 1; ; tried += 1) {
      const content = { Body: body(), ContentLength: bytes, ChecksumSHA256 };
      const command = new PutObjectCommand({ ...this.address(sha256), ...content });
      try {
        await this.client.send(command, { abortSignal: AbortSignal.timeout(PUT_MS_MAX) });
        return;
      } catch (error) {
        // The client retries bytes in memory but cannot rewind a stream: that retry happens here.
        if (tried === PUT_TRIES || !(content.Body instanceof Readable)) throw unavailable(error);
        await pause(200 * 2 ** tried);
      }
    }
  }

  private async read(sha256: string, range?: ByteRange): Promise<{ body: Readable; bytes: number }> {
    try {
      const Range = range && `bytes=${range.start}-${range.end}`;
      const request = new GetObjectCommand({ ...this.address(sha256), Range });
      const { Body, ContentLength } = await this.client.send(request);
      if (Body instanceof Readable && ContentLength !== undefined)
        return { body: Body, bytes: ContentLength };
      throw new TypeError('the server gave no body, or one without a length');
    } catch (error) {
      throw isMissing(error) ? noSuchBlob(sha256, error) : unavailable(error);
    }
  }

  private address(sha256: string): { Bucket: string; Key: string } {
    return { Bucket: this.at.bucket, Key: `${this.at.prefix}${keyOf(sha256)}` };
  }
}

/** Maximum of consecutive broken connections without a byte between. */
const BREAKS_MAX = 3;

/** The bytes of a range; when a connection breaks, the next one continues after the last received byte. */
async function* resumed(
  { start, end }: ByteRange,
  first: Readable,
  read: (rest: ByteRange) => Promise<Readable>,
): AsyncGenerator<Buffer, void, undefined> {
  let at = start;
  let breaks = 0;
  for (let body = first; at <= end; body = await read({ start: at, end })) {
    let broken: unknown;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        at += chunk.length;
        breaks = 0;
        yield chunk;
      }
    } catch (error) {
      broken = error;
    }
    if (at > end) return;
    breaks += 1;
    if (breaks > BREAKS_MAX)
      throw unavailable(broken ?? new Error('the response was shorter than its content length'));
  }
}

/** Bytes with a known sha256, which can be read repeatedly for retries. */
interface Spooled {
  stored: StoredBlob;
  body: () => Uint8Array | Readable;
}

/**
 * Passes the whole source to `use`, measured. Bytes stay in memory; a stream is buffered in a local file that is unlinked
 * once it is open, so that not even a crash leaves it behind.
 */
async function spooled<T>(
  source: BlobSource,
  { folder, bytesMax }: { folder: string; bytesMax: number },
  use: (spooled: Spooled) => Promise<T>,
): Promise<T> {
  const measure = new Measure(bytesMax);
  if (typeof source === 'string' || source instanceof Uint8Array) {
    const bytes = Buffer.from(source);
    const stored = measure.add(bytes).result();
    return await use({ stored, body: () => bytes });
  }
  const file = await unlinkedFile(folder);
  try {
    for await (const chunk of measure.through(chunksOf(source))) await file.writeFile(chunk);
    const stored = measure.result();
    const body = () => file.createReadStream({ start: 0, autoClose: false });
    return await use({ stored, body });
  } finally {
    await file.close();
  }
}

async function unlinkedFile(folder: string): Promise<FileHandle> {
  const name = path.join(folder, `agentclash-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  await rm(name);
  return file;
}
