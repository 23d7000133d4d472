import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { asStoreError, ImageError, invalidImage } from '../image-error.js';
import { decompressed } from '../layers/decompress.js';
import { overlayTar } from '../layers/overlay-tar.js';
import { unpackTar } from '../layers/unpack.js';
import { counted, verified } from '../names/digest.js';
import type { Descriptor, ImageConfig, Manifest } from '../names/manifest.js';
import { type ImageReference, parseReference, pinned, tagName } from '../names/reference.js';
import { unpackArchive } from '../sources/archive.js';
import { LayoutSource } from '../sources/layout.js';
import { namedImages } from '../sources/layout-names.js';
import { resolveImage } from '../sources/resolve.js';
import type { ImageSource } from '../sources/source.js';
import { planEviction } from './eviction.js';
import { exportLayout } from './export-layout.js';
import { type ImageFacts, StoreFiles } from './files.js';
import { SharedWork, unlessAborted } from './shared-work.js';

export interface ImageStoreOptions {
  directory: string;
  /** In order of preference. */
  sources: readonly ImageSource[];
  /** Of all unpacked layers that are not in use. Default 20 GiB. */
  bytesMax?: number;
  /** Of one unpacked image. Default 16 GiB. */
  imageBytesMax?: number;
}

export interface ImageProgress {
  phase: 'pull';
  /** Of the layers as the source has them. */
  doneBytes: number;
  totalBytes: number;
}

export interface PrepareOptions {
  signal?: AbortSignal;
  onProgress?: (progress: ImageProgress) => void;
}

/** An image whose layers are directories. */
export interface StoredImage {
  reference: string;
  /** Of the manifest for this machine. */
  digest: string;
  env: Readonly<Record<string, string>>;
  workingDirectory?: string;
  user?: string;
  /** Directories, the lowest first. */
  layers: string[];
  bytes: number;
  /** Until then it stays in the store. Idempotent. */
  release(): void;
}

/** One line of a listing. */
export interface ListedImage {
  reference: string;
  digest: string;
  names: string[];
  bytes: number;
  unusedMs: number;
}

const GIB = 1024 ** 3;
const BYTES_MAX = 20 * GIB;
const IMAGE_BYTES_MAX = 16 * GIB;
const ENTRIES_MAX = 2_000_000;
const RENEW_EVERY_MS = 60_000;

/**
 * Images of this machine, unpacked once per layer. Several processes may share a store. Every method throws `ImageError`.
 * Needs root, bubblewrap and GNU tar.
 */
export class ImageStore {
  readonly #work = new SharedWork<ImageFacts, ImageProgress>();
  readonly #layerWork = new SharedWork<void>();
  /** How often each image is in use, by digest. */
  readonly #used = new Map<string, number>();
  readonly #renewal: NodeJS.Timeout;

  private constructor(
    private readonly files: StoreFiles,
    private readonly options: ImageStoreOptions,
  ) {
    this.#renewal = setInterval(() => void this.#renew(), RENEW_EVERY_MS).unref();
  }

  static async open(options: ImageStoreOptions): Promise<ImageStore> {
    const files = new StoreFiles(options.directory);
    await files.prepare();
    return new ImageStore(files, options);
  }

  close(): void {
    clearInterval(this.#renewal);
  }

  /** The image, pulled and unpacked where it is not there; concurrent calls share that. */
  async prepare(reference: string, { signal, onProgress }: PrepareOptions = {}): Promise<StoredImage> {
    const parsed = parseReference(reference);
    const known = await this.#known(parsed);
    const work = () =>
      this.#work.do(reference, (progress) => this.#pull(parsed, this.options.sources, progress), onProgress);
    const facts = known ?? (await unlessAborted(signal, work()));
    return await this.#lend(reference, facts);
  }

  /** The image by its digest, of an index or a manifest, as the sources and then this store know it now. */
  async pinned(reference: string, signal?: AbortSignal): Promise<string> {
    const parsed = parseReference(reference);
    if (parsed.digest !== undefined) return pinned(parsed, parsed.digest);
    for (const source of this.options.sources) {
      const document = await source.document(parsed, signal);
      if (document !== undefined) return pinned(parsed, document.digest);
    }
    const known = await this.#known(parsed);
    if (known !== undefined) return known.reference;
    throw this.#unknown(parsed);
  }

  /** Takes all images of an archive or of a layout directory into the store and returns their references. */
  async load(file: string, { signal, onProgress }: PrepareOptions = {}): Promise<string[]> {
    const found = await stat(file).catch((cause: unknown) => {
      throw new ImageError('invalid_image', `there is no ${file}`, { cause });
    });
    if (found.isDirectory()) return await this.#loadLayout(new LayoutSource(file), signal, onProgress);
    const work = await this.files.workDirectory();
    try {
      const directory = path.join(work, 'layout');
      await mkdir(directory);
      await unpackArchive(file, directory);
      return await this.#loadLayout(new LayoutSource(directory, file), signal, onProgress);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
  }

  /** The image by its digest, where this store has it. */
  async find(reference: string): Promise<string | undefined> {
    return (await this.#known(parseReference(reference)))?.reference;
  }

  /** Writes an image as a layout of OCI into an empty directory, whose tag there is `name`. */
  async export(
    reference: string,
    target: { directory: string; name: string; signal?: AbortSignal | undefined },
  ): Promise<void> {
    const image = await this.prepare(reference, target.signal && { signal: target.signal });
    try {
      await exportLayout(image, target);
    } catch (error) {
      throw asStoreError(error, `the image ${reference}`);
    } finally {
      image.release();
    }
  }

  async list(): Promise<ListedImage[]> {
    const [images, layers] = await Promise.all([this.files.images(), this.files.layers()]);
    const bytesOf = new Map(layers.map(({ diffId, bytes }) => [diffId, bytes]));
    return images.map(({ reference, digest, names, diffIds, unusedMs }) => ({
      reference,
      digest,
      names,
      bytes: diffIds.reduce((sum, diffId) => sum + (bytesOf.get(diffId) ?? 0), 0),
      unusedMs,
    }));
  }

  /** False where there is none. Sandboxes that run keep its layers. */
  async remove(reference: string): Promise<boolean> {
    const facts = await this.#known(parseReference(reference));
    if (facts === undefined) return false;
    await this.files.removeImage(facts.digest);
    return true;
  }

  async #loadLayout(
    source: LayoutSource,
    signal: AbortSignal | undefined,
    onProgress: PrepareOptions['onProgress'],
  ): Promise<string[]> {
    const loaded: string[] = [];
    for (const { reference, names } of await namedImages(source)) {
      const parsed = parseReference(reference);
      const pull = (progress: Progress) => this.#pull(parsed, [source], progress, names);
      await unlessAborted(signal, this.#work.do(`load ${reference}`, pull, onProgress));
      loaded.push(reference);
    }
    return loaded;
  }

  /** By any of its names, its manifest's digest, or the digest of the index that had it. */
  async #known(reference: ImageReference): Promise<ImageFacts | undefined> {
    const direct = reference.digest === undefined ? undefined : await this.files.image(reference.digest);
    if (direct !== undefined) return direct;
    const wanted = reference.digest ?? tagName(reference);
    return (await this.files.images()).find(({ names }) => names.includes(wanted));
  }

  async #pull(
    reference: ImageReference,
    sources: readonly ImageSource[],
    progress: Progress,
    names: readonly string[] = [],
  ): Promise<ImageFacts> {
    for (const source of sources) {
      const document = await source.document(reference);
      if (document === undefined) continue;
      const { manifest, digest, config } = await resolveImage(source, reference, document);
      await this.#pullLayers(source, reference, { manifest, config }, progress);
      const { env, workingDirectory, user, diffIds } = config;
      const other = document.digest === digest ? [] : [document.digest];
      const facts = {
        reference: pinned(reference, document.digest),
        digest,
        names: [...other, ...names],
        env,
        ...(workingDirectory === undefined ? {} : { workingDirectory }),
        ...(user === undefined ? {} : { user }),
        diffIds,
      };
      await this.files.addImage(facts);
      await this.#evict();
      return facts;
    }
    throw this.#unknown(reference);
  }

  #unknown({ text }: ImageReference): ImageError {
    const looked = this.options.sources.map(({ name }) => name).join(', ') || 'no source at all';
    return invalidImage(
      `there is no image ${text} (looked in ${looked})`,
      'check its name and digest, or load it with `agentclash image load ARCHIVE`',
    );
  }

  async #pullLayers(
    source: ImageSource,
    reference: ImageReference,
    { manifest, config }: { manifest: Manifest; config: ImageConfig },
    progress: Progress,
  ): Promise<void> {
    const totalBytes = manifest.layers.reduce((sum, { size }) => sum + size, 0);
    let doneBytes = 0;
    let left = this.options.imageBytesMax ?? IMAGE_BYTES_MAX;
    for (const [index, descriptor] of manifest.layers.entries()) {
      const diffId = config.diffIds[index] ?? '';
      const of = `layer ${index + 1} of ${manifest.layers.length} of ${reference.text}`;
      const report = (bytes: number) => {
        doneBytes += bytes;
        progress({ phase: 'pull', doneBytes, totalBytes });
      };
      if (this.files.hasLayer(diffId)) report(descriptor.size);
      else {
        const bytesMax = left;
        const make = () => this.#makeLayer({ source, reference, descriptor, diffId, of, bytesMax }, report);
        await this.#layerWork.do(diffId, make);
      }
      left -= (await this.files.layerFacts(diffId)).bytes;
      if (left < 0) throw invalidImage(`the image ${reference.text} is larger than the limit of images`);
    }
  }

  async #makeLayer(
    layer: {
      source: ImageSource;
      reference: ImageReference;
      descriptor: Descriptor;
      diffId: string;
      of: string;
      bytesMax: number;
    },
    report: (bytes: number) => void,
  ): Promise<void> {
    const { source, reference, descriptor, diffId, of, bytesMax } = layer;
    const work = await this.files.workDirectory();
    try {
      const root = path.join(work, 'root');
      await mkdir(root, { mode: 0o755 });
      const blob = counted(verified(source.blob(reference, descriptor), descriptor, of), report);
      const tar = verified(decompressed(blob, of), { digest: diffId }, of);
      const limits = { bytesMax, entriesMax: ENTRIES_MAX };
      const facts = await overlayTar(tar, (chunks) => unpackTar(chunks, root, of), limits, of);
      await this.files.addLayer(work, diffId, facts);
    } catch (error) {
      await rm(work, { recursive: true, force: true });
      throw asStoreError(error, of);
    }
  }

  async #lend(reference: string, facts: ImageFacts): Promise<StoredImage> {
    const { digest, env, workingDirectory, user, diffIds } = facts;
    this.#use(digest, 1);
    await this.files.touch(digest);
    const sizes = await Promise.all(diffIds.map((diffId) => this.files.layerFacts(diffId)));
    let isReleased = false;
    return {
      reference,
      digest,
      env,
      ...(workingDirectory === undefined ? {} : { workingDirectory }),
      ...(user === undefined ? {} : { user }),
      layers: diffIds.map((diffId) => this.files.layerRoot(diffId)),
      bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
      release: () => {
        if (!isReleased) this.#use(digest, -1);
        isReleased = true;
      },
    };
  }

  #use(digest: string, by: number): void {
    const count = (this.#used.get(digest) ?? 0) + by;
    if (count === 0) this.#used.delete(digest);
    else this.#used.set(digest, count);
  }

  async #renew(): Promise<void> {
    await Promise.all([...this.#used.keys()].map((digest) => this.files.touch(digest)));
  }

  async #evict(): Promise<void> {
    const content = { images: await this.files.images(), layers: await this.files.layers() };
    const gone = planEviction(content, this.options.bytesMax ?? BYTES_MAX);
    for (const digest of gone.images) await this.files.removeImage(digest);
    for (const diffId of gone.layers) await this.files.removeLayer(diffId);
  }
}

type Progress = (progress: ImageProgress) => void;
