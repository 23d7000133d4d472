import type { Descriptor } from '../names/manifest.js';
import type { ImageReference } from '../names/reference.js';

/** A place that has images. Content is checked by the reader. */
export interface ImageSource {
  /** For messages. */
  readonly name: string;
  /** The index or manifest of the reference; undefined where this place has no such image. */
  document(reference: ImageReference, signal?: AbortSignal): Promise<Document | undefined>;
  /** A document or blob by its digest. Throws `invalid_image` where it is missing. */
  blob(reference: ImageReference, descriptor: Descriptor, signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

export interface Document {
  digest: string;
  bytes: Buffer;
}
