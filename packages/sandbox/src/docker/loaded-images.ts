import { Transform } from 'node:stream';
import type { DaemonImage } from '@agentclash/images';
import type { ImageProgress, PrepareOptions } from '../image.js';
import { SandboxError } from '../sandbox-error.js';
import type { Engine } from './engine.js';
import { EngineError } from './engine-error.js';
import type { EngineImages } from './engine-images.js';
import type { ImageDetails } from './engine-objects.js';
import { LOADED_REPOSITORY, loadedName } from './image-cache.js';
import { loadError } from './pull-errors.js';

const LOAD_MS = 60 * 60_000;

/**
 * Images of archives on a daemon, by the digests of their manifests, as all other providers know them. The classic store
 * of Docker keeps an image by the digest of its configuration and forgets its manifest: a tag of ours maps one to the
 * other. It is made only where the manifest has been read, names that configuration, and both have their digests.
 */
export class LoadedImages {
  constructor(
    private readonly engine: Engine,
    private readonly images: EngineImages,
  ) {}

  /** All images of an archive or a layout; their references. Throws `ImageError`, `invalid_image` or `unavailable`. */
  async load(file: string, { signal, onProgress }: PrepareOptions = {}): Promise<string[]> {
    const { forDaemon } = await import('@agentclash/images');
    const timeout = AbortSignal.timeout(LOAD_MS);
    const ended = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const loaded: string[] = [];
    await forDaemon(file, async (image) => {
      ended.throwIfAborted();
      if ((await this.images.find(image.reference)) === undefined) {
        await this.#send(image, ended, onProgress);
      }
      await this.#name(image);
      loaded.push(image.reference);
    });
    await this.images.evict();
    return loaded;
  }

  async #send(
    { reference, bytes, archive }: DaemonImage,
    signal: AbortSignal,
    onProgress: ((progress: ImageProgress) => void) | undefined,
  ): Promise<void> {
    let doneBytes = 0;
    const counter = new Transform({
      transform(chunk: Buffer, _, done) {
        doneBytes = Math.min(bytes, doneBytes + chunk.length);
        onProgress?.({ phase: 'pull', doneBytes, totalBytes: bytes });
        done(null, chunk);
      },
    });
    const source = archive();
    const body = source.on('error', (error) => counter.destroy(error)).pipe(counter);
    try {
      const query = { quiet: '1' };
      for await (const { error } of this.engine.messages('POST', '/images/load', { query, body, signal })) {
        if (error !== undefined) throw loadError(reference, error);
      }
    } catch (error) {
      throw error instanceof EngineError ? loadError(reference, error.reason) : error;
    } finally {
      source.destroy();
    }
  }

  /** The daemon has checked the layers by the configuration, and that is the one of the manifest. */
  async #name({ reference, digests, configDigest }: DaemonImage): Promise<void> {
    let found: ImageDetails | undefined;
    for (const id of [configDigest, ...digests]) found ??= await this.images.find(id);
    if (found === undefined || ![configDigest, ...digests].includes(found.Id)) {
      throw new SandboxError(
        'unavailable',
        `the image ${reference} is not on the daemon after it was loaded`,
        {
          fix: 'load it again; see the log of the Docker daemon',
        },
      );
    }
    for (const digest of digests) {
      const tag = loadedName(digest).slice(LOADED_REPOSITORY.length + 1);
      await this.engine.post(`/images/${found.Id}/tag`, { query: { repo: LOADED_REPOSITORY, tag } });
    }
  }
}
