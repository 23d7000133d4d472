import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { extract, type Header } from 'tar-stream';
import { z } from 'zod';
import { invalidImage } from '../image-error.js';
import { decompressed } from '../layers/decompress.js';
import { digestOf } from '../names/digest.js';
import { hashOfFile } from '../names/file-digest.js';

const ENTRIES_MAX = 20_000;
const ARCHIVE_BYTES_MAX = 64 * 1024 ** 3;
const HOW_TO_MAKE_ONE =
  'make one with `docker save`, `skopeo copy … oci-archive:FILE` or `buildah push … oci-archive:FILE`; the files of a system (of `docker export`, mmdebstrap) become an image by `docker import` first';

/** `manifest.json` of `docker save`. */
const SavedImages = z
  .array(
    z.object({ Config: z.string(), RepoTags: z.array(z.string()).nullish(), Layers: z.array(z.string()) }),
  )
  .min(1);

/**
 * Turns an archive of images (the output of `docker save`, or a layout of OCI as a tar file, compressed or not) into a
 * layout in `directory`, an empty one. Throws `invalid_image` where it is neither.
 */
export async function unpackArchive(file: string, directory: string): Promise<void> {
  await extractFiles(file, directory);
  if (existsSync(path.join(directory, 'index.json'))) return;
  const saved = await readSaved(directory, file);
  await writeLayout(directory, saved, file);
}

/** Only plain files, below the directory by their own name: links and devices have no use in an archive of images. */
async function extractFiles(file: string, directory: string): Promise<void> {
  const reader = extract();
  const links: [at: string, to: string][] = [];
  let entries = 0;
  let bytes = 0;
  const take = async () => {
    for await (const entry of reader) {
      const { name, type, size = 0, linkname } = entry.header;
      entries += 1;
      bytes += size;
      if (entries > ENTRIES_MAX || bytes > ARCHIVE_BYTES_MAX)
        throw invalidImage(
          `${file} is no archive of images: it has more than ${ENTRIES_MAX} entries or ${ARCHIVE_BYTES_MAX} bytes`,
          HOW_TO_MAKE_ONE,
        );
      const location = locationOf(name, directory, file);
      if (type === 'file') {
        await mkdir(path.dirname(location), { recursive: true });
        await pipeline(entry, createWriteStream(location, { flags: 'wx', mode: 0o600 }));
      } else {
        if ((type === 'symlink' || type === 'link') && linkname) {
          links.push([location, locationOf(target(name, linkname, type), directory, file)]);
        }
        entry.resume();
      }
    }
  };
  const source = decompressed(createReadStream(file), file);
  try {
    await Promise.all([pipeline(source, reader), take()]);
  } catch (error) {
    if (error instanceof Error && /tar header|Unexpected end of data/i.test(error.message)) {
      throw invalidImage(`${file} is no whole tar file: ${error.message}`);
    }
    throw error;
  }
  // Older archives name the same layer twice.
  for (const [at, to] of links) {
    await mkdir(path.dirname(at), { recursive: true });
    if (!existsSync(at) && (await isFile(to))) await link(to, at);
  }
}

/** A tar file of a whole system has links to directories as well. */
async function isFile(location: string): Promise<boolean> {
  return (await stat(location).catch(() => undefined))?.isFile() === true;
}

function target(name: string, linkname: string, type: Header['type']): string {
  return type === 'link' ? linkname : path.posix.join(path.posix.dirname(name), linkname);
}

function locationOf(name: string, directory: string, file: string): string {
  const location = path.join(directory, name);
  if (location.startsWith(`${directory}/`) || location === directory) return location;
  throw invalidImage(`${file}: the entry ${JSON.stringify(name)} leads out of the archive`);
}

async function readSaved(directory: string, file: string): Promise<z.infer<typeof SavedImages>> {
  const text = await readFile(path.join(directory, 'manifest.json'), 'utf8').catch(() => undefined);
  if (text === undefined) {
    throw invalidImage(
      `${file} is no archive of images: it has neither index.json nor manifest.json`,
      HOW_TO_MAKE_ONE,
    );
  }
  try {
    return SavedImages.parse(JSON.parse(text));
  } catch {
    throw invalidImage(`${file}: its manifest.json is malformed`);
  }
}

/** The layers of `docker save` are tar files; a layout names each by its digest. */
async function writeLayout(
  directory: string,
  saved: z.infer<typeof SavedImages>,
  file: string,
): Promise<void> {
  const blobs = path.join(directory, 'blobs', 'sha256');
  await mkdir(blobs, { recursive: true });
  const manifests: object[] = [];
  const keep = async (name: string) => {
    const from = locationOf(name, directory, file);
    const size = (await stat(from).catch(() => undefined))?.size;
    if (size === undefined) throw invalidImage(`${file} lacks ${name}, which its manifest names`);
    const digest = await hashOfFile(from);
    const to = path.join(blobs, digest.slice('sha256:'.length));
    if (!existsSync(to)) await link(from, to);
    return { digest, size };
  };
  for (const { Config, RepoTags, Layers } of saved) {
    const config = { mediaType: 'application/vnd.oci.image.config.v1+json', ...(await keep(Config)) };
    const layers = [];
    for (const layer of Layers) {
      layers.push({ mediaType: 'application/vnd.oci.image.layer.v1.tar', ...(await keep(layer)) });
    }
    const mediaType = 'application/vnd.oci.image.manifest.v1+json';
    const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config, layers }));
    const digest = digestOf(bytes);
    await writeFile(path.join(blobs, digest.slice('sha256:'.length)), bytes);
    for (const name of RepoTags?.length ? RepoTags : [undefined]) {
      const annotations = name === undefined ? {} : { 'io.containerd.image.name': name };
      manifests.push({ mediaType, digest, size: bytes.length, annotations });
    }
  }
  await writeFile(path.join(directory, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests }));
  await writeFile(path.join(directory, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  await rm(path.join(directory, 'manifest.json'), { force: true });
}
