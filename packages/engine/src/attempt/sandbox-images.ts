import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PlannedBuild, PlannedImage } from '@agentclash/attempt-plan';
import {
  AbandonableWork,
  type ImageProgress,
  isSandboxError,
  SandboxError,
  type SandboxProvider,
} from '@agentclash/sandbox';
import { unlessAborted } from '../outcome/attempt-end.js';
import { type ArtifactReader, readArtifact } from '../staging/artifacts.js';

/** From the start of a build to its forced end. */
const BUILD_MS_MAX = 30 * 60_000;
/** Files of a build have no modes of their own: a script among them can be run. */
const FILE_MODE = 0o755;
const LAST_LINES = 10;
const LAST_CHARACTERS_MAX = 2_000;
const KNOWN_MAX = 1_000;

export interface ImageContext {
  artifacts: ArtifactReader;
  signal: AbortSignal;
  onProgress?: (progress: ImageProgress) => void;
}

type Builder = Pick<SandboxProvider, 'name' | 'prepareImage' | 'buildImage'>;

/** Images of one machine's sandboxes: pulled, or built once per content for all attempts that need it. */
export class SandboxImages {
  readonly #builds = new AbandonableWork<string, ImageProgress>();
  /** References of finished builds, by key. */
  readonly #built = new Map<string, string>();

  constructor(private readonly provider: Builder) {}

  /** The reference of the image, which is ready then. Throws SandboxError, and AttemptEnded for unusable artifacts. */
  async prepare(image: PlannedImage, context: ImageContext): Promise<string> {
    if ('reference' in image) return await this.#pulled(image.reference, context);
    const key = buildKey(image.build);
    const known = this.#built.get(key);
    if (known !== undefined) {
      try {
        return await this.#pulled(known, context);
      } catch (error) {
        if (!isSandboxError(error, 'invalid_image')) throw error;
        // Removed in the meantime.
        this.#built.delete(key);
      }
    }
    return await this.#pulled(await this.#shared(key, image.build, context), context);
  }

  async #pulled(reference: string, { signal, onProgress }: ImageContext): Promise<string> {
    const work = this.provider.prepareImage?.(reference, { signal, ...(onProgress && { onProgress }) });
    if (work) await unlessAborted(work, signal);
    return reference;
  }

  /** A cancelled attempt leaves the build to the others; without any it is ended. */
  async #shared(key: string, build: PlannedBuild, context: ImageContext): Promise<string> {
    const { artifacts, ...waiter } = context;
    const work = (signal: AbortSignal, onProgress: (progress: ImageProgress) => void) =>
      this.#build(key, build, { artifacts, signal, onProgress });
    const reference = await this.#builds.do(key, work, waiter);
    this.#remember(key, reference);
    return reference;
  }

  #remember(key: string, reference: string): void {
    this.#built.set(key, reference);
    const [oldest] = this.#built.keys();
    if (this.#built.size > KNOWN_MAX && oldest !== undefined) this.#built.delete(oldest);
  }

  async #build(key: string, build: PlannedBuild, context: Required<ImageContext>): Promise<string> {
    if (this.provider.buildImage === undefined) {
      const message = `the sandboxes of ${this.provider.name} build no images`;
      throw new SandboxError('unsupported', message, { capability: 'imageBuilds' });
    }
    const directory = await mkdtemp(path.join(tmpdir(), 'agentclash-build-'));
    const output = new LastLines();
    try {
      await writeContext(build, directory, context);
      const order = {
        key,
        context: directory,
        dockerfile: build.dockerfile,
        timeoutMs: BUILD_MS_MAX,
        network: build.network_access ? ('host' as const) : ('none' as const),
      };
      return await this.provider.buildImage(order, {
        signal: context.signal,
        onProgress: (progress) => {
          if (progress.line !== undefined) output.add(progress.line);
          context.onProgress(progress);
        },
      });
    } catch (error) {
      throw output.addedTo(error);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }
}

/** A build is named by its content: the reference of its image is known once it is done. */
export function imageName(image: PlannedImage): string {
  return 'build' in image ? `build ${buildKey(image.build)}` : image.reference;
}

/** The same for builds of the same content. */
export function buildKey({ dockerfile, files, network_access }: PlannedBuild): string {
  const contents = files.map(({ path: name, artifact }) => [name, artifact.sha256] as const);
  const sorted = contents.sort(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([dockerfile, network_access === true, sorted]);
  return createHash('sha256').update(text).digest('hex');
}

async function writeContext(
  { files }: PlannedBuild,
  directory: string,
  { artifacts, signal }: Pick<ImageContext, 'artifacts' | 'signal'>,
): Promise<void> {
  for (const { path: name, artifact } of files) {
    const file = path.join(directory, name);
    if (!file.startsWith(`${directory}/`)) throw new Error(`${name} leads out of the context`);
    const data = await readArtifact(artifact, artifacts, signal);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, data, { mode: FILE_MODE, flag: 'wx' });
  }
}

/** The end of a build's output, for the message of its failure. */
class LastLines {
  readonly #lines: string[] = [];

  add(line: string): void {
    this.#lines.push(line.slice(0, LAST_CHARACTERS_MAX));
    if (this.#lines.length > LAST_LINES) this.#lines.shift();
  }

  addedTo(error: unknown): unknown {
    const last = this.#lines.at(-1);
    if (!isSandboxError(error, 'invalid_image') || last === undefined || error.message.includes(last))
      return error;
    const { fix } = error;
    const message = `${error.message}\n${this.#lines.join('\n').slice(-LAST_CHARACTERS_MAX)}`;
    return new SandboxError('invalid_image', message, { cause: error, ...(fix !== undefined && { fix }) });
  }
}
