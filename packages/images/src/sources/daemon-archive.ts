import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Pack, pack } from 'tar-stream';
import { ImageError, invalidImage } from '../image-error.js';
import { verified } from '../names/digest.js';
import { MANIFEST_TYPES } from '../names/manifest.js';
import { parseReference } from '../names/reference.js';
import { unpackArchive } from './archive.js';
import { LayoutSource } from './layout.js';
import { namedImages } from './layout-names.js';
import { type ResolvedImage, resolveImage } from './resolve.js';

/** One image of an archive, for a daemon of Docker. */
export interface DaemonImage {
  /** As a pack names it: by the digest of its manifest, or of the index that has it. */
  reference: string;
  /** By which packs may name it: that of the reference, and that of the manifest for this machine. */
  digests: string[];
  /** The id of the image in the classic store of Docker. */
  configDigest: string;
  /** Of the layers as the archive has them. */
  bytes: number;
  /** For `POST /images/load`. Every blob is checked while it is read: it throws `invalid_image`. */
  archive(): Readable;
}

/** The images of an archive or a layout, which `use` gets one by one. Throws `ImageError`. */
export async function forDaemon(file: string, use: (image: DaemonImage) => Promise<void>): Promise<void> {
  const found = await stat(file).catch((cause: unknown) => {
    throw new ImageError('invalid_image', `there is no ${file}`, { cause });
  });
  if (found.isDirectory()) return await eachImage(new LayoutSource(file), use);
  const work = await mkdtemp(path.join(tmpdir(), 'agentclash-images-'));
  try {
    const directory = path.join(work, 'layout');
    await mkdir(directory);
    await unpackArchive(file, directory);
    await eachImage(new LayoutSource(directory, file), use);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function eachImage(source: LayoutSource, use: (image: DaemonImage) => Promise<void>): Promise<void> {
  for (const { reference } of await namedImages(source)) {
    const parsed = parseReference(reference);
    const document = await source.document(parsed);
    if (document === undefined) throw invalidImage(`${source.name} lacks the manifest of ${reference}`);
    const image = await resolveImage(source, parsed, document);
    const { manifest, digest } = image;
    await use({
      reference,
      digests: [...new Set([document.digest, digest])],
      configDigest: manifest.config.digest,
      bytes: manifest.layers.reduce((sum, { size }) => sum + size, 0),
      archive: () => archiveOf(source, reference, image),
    });
  }
}

/**
 * A layout of OCI, which the store of containerd reads, with the `manifest.json` that the classic store of Docker reads. It
 * has no name, so that no tag of the daemon comes to mean another image.
 */
function archiveOf(source: LayoutSource, reference: string, image: ResolvedImage): Readable {
  const tar = pack();
  write(tar, { source, reference, image }).then(
    () => tar.finalize(),
    (error: Error) => tar.destroy(error),
  );
  return Readable.from(tar, { objectMode: false });
}

async function write(
  tar: Pack,
  { source, reference, image }: { source: LayoutSource; reference: string; image: ResolvedImage },
): Promise<void> {
  const { manifest, digest, bytes, configBytes } = image;
  const mediaType = (JSON.parse(bytes.toString()) as { mediaType?: string }).mediaType ?? MANIFEST_TYPES[0];
  const manifests = [{ mediaType, digest, size: bytes.length }];
  const saved = [
    {
      Config: blob(manifest.config.digest),
      RepoTags: null,
      Layers: manifest.layers.map((each) => blob(each.digest)),
    },
  ];
  tar.entry({ name: 'oci-layout' }, '{"imageLayoutVersion":"1.0.0"}');
  tar.entry({ name: 'index.json' }, JSON.stringify({ schemaVersion: 2, manifests }));
  tar.entry({ name: 'manifest.json' }, JSON.stringify(saved));
  tar.entry({ name: blob(digest) }, bytes);
  tar.entry({ name: blob(manifest.config.digest) }, configBytes);
  const parsed = parseReference(reference);
  const layers = new Map(manifest.layers.map((each) => [each.digest, each]));
  let count = 0;
  for (const layer of layers.values()) {
    count += 1;
    const of = `layer ${count} of ${layers.size} of ${reference}`;
    const content = verified(source.blob(parsed, layer), layer, of);
    await pipeline(content, tar.entry({ name: blob(layer.digest), size: layer.size }));
  }
}

function blob(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`;
}
