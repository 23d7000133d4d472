import { statfs } from 'node:fs/promises';
import type { ImageProgress, PreparedImage, PrepareOptions } from '../image.js';
import { AbandonableWork } from '../packages/shared-work.js';
import { isSandboxError, SandboxError } from '../sandbox-error.js';
import type { Engine } from './engine.js';
import { EngineError, hasStatus } from './engine-error.js';
import type { EngineMessage, ImageDetails } from './engine-objects.js';
import { BUILT_NAME, ImageCache, LOADED_REPOSITORY, loadedName } from './image-cache.js';
import { pullError } from './pull-errors.js';

const PULL_MS = 60 * 60_000;
const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' } as const;
const DOCKER_HUB = 'https://index.docker.io/v1/';
/** A pull ends when no more is left on the disk of the daemon, where this process sees that. */
const FREE_BYTES_MIN = 2 * 1024 ** 3;
const SPACE_POLL_MS = 1_000;
const GIB = 1024 ** 3;
const BYTES_MAX = 32 * GIB;

interface ImageOptions {
  machine: 'x64' | 'arm64';
  credentials?: Readonly<Record<string, { username: string; password: string }>> | undefined;
  bytesMax?: number | undefined;
  pulls?: boolean | undefined;
  /** The folder of the daemon on this machine; undefined where it is on another. */
  rootDirectory?: string | undefined;
  onProblem: (message: string, cause?: unknown) => void;
}

/** Images on a daemon: its own, and those that it pulls. */
export class EngineImages {
  readonly cache: ImageCache;
  readonly #work = new AbandonableWork<ImageDetails, ImageProgress>();

  constructor(
    private readonly engine: Engine,
    private readonly options: ImageOptions,
  ) {
    this.cache = new ImageCache(engine, options.bytesMax ?? BYTES_MAX);
  }

  /** Throws `invalid_image` or `unavailable`. */
  async prepare(
    reference: string,
    options: PrepareOptions = {},
  ): Promise<PreparedImage & { details: ImageDetails }> {
    const details = await this.details(reference, options);
    this.#checkSize(reference, details);
    const { Env, WorkingDir } = details.Config ?? {};
    const env = (Env ?? []).map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
    });
    return {
      reference,
      digest: digestsOf(details).find((each) => reference.endsWith(each)) ?? details.Id,
      env: Object.fromEntries(env),
      ...(WorkingDir ? { workingDirectory: WorkingDir } : {}),
      bytes: details.Size,
      details,
    };
  }

  /** Of an image of the daemon, pulled where it is not there. */
  async details(reference: string, options: PrepareOptions = {}): Promise<ImageDetails> {
    await checkReference(reference);
    const found = await this.find(reference);
    if (found !== undefined) {
      this.#check(reference, found);
      await this.#keep(found, false);
      return found;
    }
    if (this.options.pulls === false) {
      const fix = 'load it with `agentclash image load ARCHIVE`, or set SANDBOX_REGISTRIES=any';
      throw new SandboxError('invalid_image', `the image ${reference} is not there, and none is pulled`, {
        fix,
      });
    }
    if (reference.startsWith(`${BUILT_NAME}@`)) {
      const fix = 'start another run: its image is built again';
      throw new SandboxError(
        'unavailable',
        `the image ${reference} was built here and has been removed since`,
        { fix },
      );
    }
    return await this.#work.do(
      reference,
      (signal, report) => this.#pull(reference, { signal, onProgress: report }),
      options,
    );
  }

  /**
   * By name and the digest that a registry gave it, by the digest of its configuration, or by that of the manifest that it
   * was loaded with.
   */
  async find(reference: string): Promise<ImageDetails | undefined> {
    const [, digest] = reference.split('@');
    const names = digest === undefined ? [reference] : [reference, digest, loadedName(digest)];
    for (const name of names) {
      const found = await this.engine.get<ImageDetails>(`/images/${name}/json`).catch((error: unknown) => {
        if (!hasStatus(error, 404, 400)) throw error;
      });
      if (found) return found;
    }
    return undefined;
  }

  /** A failure is one of the operator, not of the image that was just made. */
  async evict(): Promise<void> {
    await this.cache
      .evict()
      .catch((cause: unknown) => this.options.onProblem('removal of unused images failed', cause));
  }

  async #pull(
    reference: string,
    { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: ImageProgress) => void },
  ) {
    const timeout = AbortSignal.timeout(PULL_MS);
    const full = new AbortController();
    const watch = this.#watchSpace(reference, full);
    const ended = AbortSignal.any([signal, timeout, full.signal]);
    onProgress({ phase: 'pull' });
    try {
      const { parseReference } = await import('@agentclash/images');
      const { registry, repository, tag = 'latest', digest } = parseReference(reference);
      const query = { fromImage: `${registry}/${repository}`, tag: digest ?? tag };
      const progress = new PullProgress(onProgress);
      const headers = this.#login(registry);
      for await (const message of this.engine.messages('POST', '/images/create', {
        query,
        headers,
        signal: ended,
      })) {
        if (message.error !== undefined)
          throw pullError(reference, message.errorDetail?.message ?? message.error);
        progress.on(message);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) throw pullError(reference, 'it takes longer than an hour');
      if (isSandboxError(error)) throw error;
      throw error instanceof EngineError ? pullError(reference, error.reason) : error;
    } finally {
      clearInterval(watch);
    }
    const details = await this.find(reference);
    if (details === undefined) throw pullError(reference, 'it is not there after its pull');
    await this.#keep(details, true);
    this.#check(reference, details);
    await this.evict();
    return details;
  }

  #check(reference: string, { Architecture, Os }: ImageDetails): void {
    const { machine } = this.options;
    if (Os !== 'linux' || Architecture !== ARCHITECTURES[machine]) {
      throw pullError(reference, `no matching manifest: it is for ${Os}/${Architecture}`);
    }
  }

  #checkSize(reference: string, { Size }: ImageDetails): void {
    const { bytesMax = BYTES_MAX } = this.options;
    if (Size <= bytesMax) return;
    const fix = 'make it smaller, or raise SANDBOX_IMAGES_BYTES_MAX';
    throw new SandboxError('invalid_image', `the image ${reference} has more than ${bytesMax} bytes`, {
      fix,
    });
  }

  async #keep(details: ImageDetails, isPulled: boolean): Promise<void> {
    await this.cache
      .keep(details, isPulled)
      .catch((cause: unknown) => this.options.onProblem(`use of image ${details.Id} was not noted`, cause));
  }

  /** Layers may be far larger unpacked than their registry promises: a pull must not fill the disk of the daemon. */
  #watchSpace(reference: string, full: AbortController): NodeJS.Timeout | undefined {
    const { rootDirectory } = this.options;
    if (rootDirectory === undefined) return undefined;
    const look = async () => {
      const { bavail, bsize } = await statfs(rootDirectory);
      if (bavail * bsize < FREE_BYTES_MIN) full.abort(pullError(reference, 'no space left on device'));
    };
    return setInterval(() => void look().catch(() => {}), SPACE_POLL_MS).unref();
  }

  #login(registry: string): Record<string, string> {
    const credential = this.options.credentials?.[registry];
    if (credential === undefined) return {};
    const serveraddress = registry === 'docker.io' ? DOCKER_HUB : registry;
    return {
      'x-registry-auth': Buffer.from(JSON.stringify({ ...credential, serveraddress })).toString('base64url'),
    };
  }
}

/** Sums the layers, each of which the daemon reports by itself. */
class PullProgress {
  readonly #layers = new Map<string, { current: number; total: number }>();

  constructor(private readonly report: (progress: ImageProgress) => void) {}

  on({ id, status, progressDetail: { current, total } = {} }: EngineMessage): void {
    if (id === undefined || current === undefined || total === undefined) return;
    const phase = status === 'Extracting' ? 'unpack' : 'pull';
    this.#layers.set(`${phase} ${id}`, { current, total });
    const ofPhase = [...this.#layers].filter(([key]) => key.startsWith(phase)).map(([, layer]) => layer);
    const sum = (key: 'current' | 'total') => ofPhase.reduce((bytes, layer) => bytes + layer[key], 0);
    this.report({ phase, doneBytes: sum('current'), totalBytes: sum('total') });
  }
}

/** The daemon refuses some malformed names with errors of its own, and takes others for parts of a path. */
/** Of its manifests, from registries and archives. */
function digestsOf({ RepoDigests, RepoTags }: ImageDetails): string[] {
  const ofRegistries = (RepoDigests ?? []).map((each) => each.split('@')[1] ?? '');
  const ofArchives = (RepoTags ?? [])
    .filter((tag) => tag.startsWith(`${LOADED_REPOSITORY}:`))
    .map((tag) => `sha256:${tag.slice(LOADED_REPOSITORY.length + 1)}`);
  return [...ofRegistries, ...ofArchives].filter((each) => each !== '');
}

async function checkReference(reference: string): Promise<void> {
  if (/^sha256:[0-9a-f]{64}$/.test(reference)) return;
  const { ImageError, parseReference } = await import('@agentclash/images');
  try {
    parseReference(reference);
  } catch (error) {
    if (!(error instanceof ImageError)) throw error;
    const { code, message, fix } = error;
    throw new SandboxError(code, message, fix === undefined ? {} : { fix });
  }
}
