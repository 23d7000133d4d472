import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { ImageError, invalidImage } from '../image-error.js';
import { digestOf } from '../names/digest.js';
import { nameInLayout } from '../names/layout-name.js';
import { type Descriptor, DOCUMENT_BYTES_MAX, type PlatformDescriptor } from '../names/manifest.js';
import { type ImageReference, tagName } from '../names/reference.js';
import type { Document, ImageSource } from './source.js';

const Index = z.object({
  manifests: z
    .array(
      z.object({
        mediaType: z.string(),
        digest: z.string(),
        size: z.int().nonnegative(),
        annotations: z.record(z.string(), z.string()).optional(),
      }),
    )
    .max(10_000),
});

/** A directory in the layout of OCI: `oci-layout`, `index.json` and `blobs/sha256`. */
export class LayoutSource implements ImageSource {
  readonly name: string;

  /** `origin`: what the user named, where the layout was unpacked of that. */
  constructor(
    readonly directory: string,
    readonly origin = directory,
  ) {
    this.name = `the layout ${origin}`;
  }

  /** All images of the layout. Throws `invalid_image` where it is none. */
  async images(): Promise<PlatformDescriptor[]> {
    const file = path.join(this.directory, 'index.json');
    const text = await readFile(file, 'utf8').catch((cause: unknown) => {
      throw new ImageError('invalid_image', `${this.name} has no index.json`, { cause });
    });
    const index = Index.safeParse(safeJson(text));
    if (!index.success) throw invalidImage(`${this.name}: index.json is malformed`);
    return index.data.manifests.map((each) => ({ ...each, annotations: each.annotations ?? {} }));
  }

  async document(reference: ImageReference): Promise<Document | undefined> {
    const { digest } = reference;
    const isNamed = (image: PlatformDescriptor) =>
      tagName(nameInLayout(image, this.origin)) === tagName(reference);
    const found = digest ?? (await this.images()).find(isNamed)?.digest;
    if (found === undefined || !/^sha256:[0-9a-f]{64}$/.test(found)) return undefined;
    const file = this.#file(found);
    const size = (await stat(file).catch(() => undefined))?.size;
    if (size === undefined) return undefined;
    if (size > DOCUMENT_BYTES_MAX) throw invalidImage(`${this.name}: the manifest ${found} is too large`);
    const bytes = await readFile(file);
    if (digestOf(bytes) !== found)
      throw invalidImage(`${this.name}: the manifest ${found} has another digest`);
    return { digest: found, bytes };
  }

  async *blob(_: ImageReference, { digest }: Descriptor): AsyncGenerator<Uint8Array> {
    try {
      yield* createReadStream(this.#file(digest)) as AsyncIterable<Uint8Array>;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw invalidImage(`${this.name} lacks the blob ${digest}`);
    }
  }

  #file(digest: string): string {
    return path.join(this.directory, 'blobs', ...digest.split(':'));
  }
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
