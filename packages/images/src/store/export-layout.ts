import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Extract, extract, type Pack, pack } from 'tar-stream';
import { ImageError } from '../image-error.js';
import { digestOf } from '../names/digest.js';
import { OWN_ARCHITECTURE } from '../names/manifest.js';
import type { StoredImage } from './image-store.js';

const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG_TYPE = 'application/vnd.oci.image.config.v1+json';
const LAYER_TYPE = 'application/vnd.oci.image.layer.v1.tar';
const OPAQUE = 'SCHILY.xattr.user.overlay.opaque';

type Entry = Extract extends AsyncIterable<infer Each> ? Each : never;

interface Blob {
  digest: string;
  size: number;
}

/**
 * Writes a stored image as a layout of OCI with one image, whose tag is `name`. Its digests are not those of the image: the
 * store has dropped devices, attributes and set-id bits.
 */
export async function exportLayout(
  { layers, env, workingDirectory, user }: StoredImage,
  { directory, name, signal }: { directory: string; name: string; signal?: AbortSignal | undefined },
): Promise<void> {
  const blobs = path.join(directory, 'blobs', 'sha256');
  await mkdir(blobs, { recursive: true });
  const put = async (document: object): Promise<Blob> => {
    const bytes = Buffer.from(JSON.stringify(document));
    const digest = digestOf(bytes);
    await writeFile(blobFile(blobs, digest), bytes);
    return { digest, size: bytes.length };
  };
  const written: Blob[] = [];
  for (const layer of layers) written.push(await exportLayer(layer, blobs, signal));
  const config = await put({
    architecture: OWN_ARCHITECTURE,
    os: 'linux',
    config: {
      Env: Object.entries(env).map(([variable, value]) => `${variable}=${value}`),
      ...(workingDirectory !== undefined && { WorkingDir: workingDirectory }),
      ...(user !== undefined && { User: user }),
    },
    rootfs: { type: 'layers', diff_ids: written.map(({ digest }) => digest) },
  });
  const manifest = await put({
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    config: { mediaType: CONFIG_TYPE, ...config },
    layers: written.map((blob) => ({ mediaType: LAYER_TYPE, ...blob })),
  });
  const annotations = { 'org.opencontainers.image.ref.name': name };
  const manifests = [{ mediaType: MANIFEST_TYPE, ...manifest, annotations }];
  await writeFile(path.join(directory, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  await writeFile(path.join(directory, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
}

/** The tar file of a layer's directory, with marks of removals in place of what an overlay needs. */
async function exportLayer(layer: string, blobs: string, signal: AbortSignal | undefined): Promise<Blob> {
  const child = spawn(
    'tar',
    [
      ...['--create', '--file=-', '--format=posix', '--sort=name', '--numeric-owner', '--no-wildcards'],
      ...['--xattrs', '--xattrs-include=user.*', '--pax-option=delete=atime,delete=ctime'],
      ...[`--directory=${layer}`, '.'],
    ],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' },
      ...(signal && { signal }),
    },
  );
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  ended.catch(() => {});
  const work = path.join(blobs, '.layer');
  const reader = extract();
  const output = pack();
  const hash = createHash('sha256');
  let size = 0;
  const measured = async function* (chunks: AsyncIterable<unknown>) {
    for await (const chunk of chunks) {
      if (!(chunk instanceof Uint8Array)) continue;
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  await Promise.all([
    pipeline(child.stdout, reader),
    convert(reader, output),
    pipeline(output, measured, createWriteStream(work)),
  ]);
  const code = await ended;
  if (code !== 0) throw new ImageError('unavailable', `a layer could not be read (tar ended with ${code})`);
  const digest = `sha256:${hash.digest('hex')}`;
  await rename(work, blobFile(blobs, digest));
  return { digest, size };
}

async function convert(reader: AsyncIterable<Entry>, output: Pack): Promise<void> {
  for await (const entry of reader) {
    const { header } = entry;
    const name = header.name.replace(/^\.\//, '');
    const isRemoval = header.type === 'character-device' && header.devmajor === 0 && header.devminor === 0;
    if (isRemoval) await put(output, { name: marked(name), mode: 0o644 });
    else {
      const { pax, ...plain } = header;
      await put(output, plain, header.type === 'file' ? entry : undefined);
      if (Object.hasOwn(pax ?? {}, OPAQUE)) {
        await put(output, { name: path.posix.join(name, '.wh..wh..opq'), mode: 0o644 });
      }
    }
    entry.resume();
  }
  output.finalize();
}

function marked(name: string): string {
  const { dir, base } = path.posix.parse(name);
  return path.posix.join(dir, `.wh.${base}`);
}

async function put(output: Pack, header: Parameters<Pack['entry']>[0], content?: Entry): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const settle = (error?: Error | null) => (error ? reject(error) : resolve());
    if (content === undefined) output.entry(header, '', settle);
    else pipeline(content, output.entry(header, settle)).catch(reject);
  });
}

function blobFile(blobs: string, digest: string): string {
  return path.join(blobs, digest.slice('sha256:'.length));
}
