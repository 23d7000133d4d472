import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Header, pack } from 'tar-stream';
import { OWN_ARCHITECTURE } from '../names/manifest.js';

/** A file with this content, or any other kind of entry. */
export type LayerEntry = Partial<Header> & { name: string; content?: string | Buffer };

export interface LayoutOptions {
  /** `[REGISTRY/]REPOSITORY[:TAG]` of the image. */
  name: string;
  layers: readonly (readonly LayerEntry[] | Buffer)[];
  env?: readonly string[];
  workingDirectory?: string;
  architecture?: string;
  /** Default gzip. */
  compress?: (tar: Buffer) => Buffer;
  /** Changes the documents before their digests are taken. */
  spoil?: (documents: { config: object; manifest: object }) => void;
}

/** Writes a layout of OCI with one image into `directory` and returns the digest of its manifest. */
export async function writeLayout(directory: string, options: LayoutOptions): Promise<string> {
  const { compress = gzipSync, architecture = OWN_ARCHITECTURE } = options;
  const blobs = path.join(directory, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const put = (mediaType: string, bytes: Buffer) => {
    const digest = sha256(bytes);
    writeFileSync(path.join(blobs, digest.slice('sha256:'.length)), bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const tars = await Promise.all(
    options.layers.map((layer) => (Buffer.isBuffer(layer) ? layer : tarOf(layer as readonly LayerEntry[]))),
  );
  const config = {
    architecture,
    os: 'linux',
    config: { Env: options.env ?? [], WorkingDir: options.workingDirectory ?? '' },
    rootfs: { type: 'layers', diff_ids: tars.map(sha256) },
  };
  const manifest = { schemaVersion: 2, mediaType: MANIFEST, config: {}, layers: [] as object[] };
  options.spoil?.({ config, manifest });
  manifest.layers.push(
    ...tars.map((tar) => put('application/vnd.oci.image.layer.v1.tar+gzip', compress(tar))),
  );
  manifest.config = put('application/vnd.oci.image.config.v1+json', Buffer.from(JSON.stringify(config)));
  const described = put(MANIFEST, Buffer.from(JSON.stringify(manifest)));
  const annotations = { 'io.containerd.image.name': options.name };
  const index = { schemaVersion: 2, manifests: [{ ...described, annotations }] };
  writeFileSync(path.join(directory, 'index.json'), JSON.stringify(index));
  writeFileSync(path.join(directory, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  return described.digest;
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

export async function tarOf(entries: readonly LayerEntry[]): Promise<Buffer> {
  const tar = pack();
  for (const { content = '', ...header } of entries) tar.entry(header, content);
  tar.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of tar) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export function sha256(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

export { hostRoot } from './host-root.js';
export { serveLayout, type TestRegistry } from './registry.js';
