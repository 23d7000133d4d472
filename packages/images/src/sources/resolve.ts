import { invalidImage } from '../image-error.js';
import { verified, whole } from '../names/digest.js';
import {
  type Descriptor,
  DOCUMENT_BYTES_MAX,
  forThisMachine,
  type ImageConfig,
  type Manifest,
  readConfig,
  readDocument,
} from '../names/manifest.js';
import type { ImageReference } from '../names/reference.js';
import type { Document, ImageSource } from './source.js';

export interface ResolvedImage {
  manifest: Manifest;
  /** Of the manifest for this machine. */
  digest: string;
  bytes: Buffer;
  config: ImageConfig;
  configBytes: Buffer;
}

/** The manifest for this machine and its configuration, of an index or a manifest; each has its digest. Throws `invalid_image`. */
export async function resolveImage(
  source: ImageSource,
  reference: ImageReference,
  document: Document,
): Promise<ResolvedImage> {
  const of = `the image ${reference.text}`;
  const { manifest, digest, bytes } = await manifestOf(source, reference, document);
  const configBytes = await small(
    source,
    reference,
    manifest.config,
    `the configuration of ${reference.text}`,
  );
  return { manifest, digest, bytes, config: readConfig(configBytes.toString(), manifest, of), configBytes };
}

async function manifestOf(
  source: ImageSource,
  reference: ImageReference,
  document: Document,
): Promise<Pick<ResolvedImage, 'manifest' | 'digest' | 'bytes'>> {
  const of = `the image ${reference.text}`;
  const read = readDocument(document.bytes.toString(), of);
  if ('manifest' in read) return { manifest: read.manifest, ...document };
  const chosen = forThisMachine(read.index, of);
  const bytes = await small(source, reference, chosen, `the manifest of ${reference.text}`);
  const below = readDocument(bytes.toString(), of);
  if (!('manifest' in below)) throw invalidImage(`${of}: its index names another index`);
  return { manifest: below.manifest, digest: chosen.digest, bytes };
}

async function small(
  source: ImageSource,
  reference: ImageReference,
  descriptor: Descriptor,
  of: string,
): Promise<Buffer> {
  return await whole(verified(source.blob(reference, descriptor), descriptor, of), DOCUMENT_BYTES_MAX, of);
}
