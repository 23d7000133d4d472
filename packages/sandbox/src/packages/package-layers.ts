import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { toolEnvironment } from '../host/config.js';
import { SandboxError } from '../sandbox-error.js';
import { Apt } from './apt.js';
import { packagesUnsupported } from './apt-errors.js';
import { evict, LAYER_FACTS, removeLeftovers } from './eviction.js';
import { InstalledPackages } from './installed-packages.js';
import { SharedWork, unlessAborted } from './shared-work.js';
import { unpack } from './unpack.js';

/** Packages of images, by the root directory of each: those it has, and those it can be given. */
export class PackageSource {
  readonly #installed = new InstalledPackages();
  readonly #layers: PackageLayers | undefined;

  /** Without `layers` no package can be installed. */
  constructor(layers: LayerOptions | undefined) {
    if (layers !== undefined) this.#layers = new PackageLayers(layers);
  }

  installedIn(image: string): Promise<ReadonlySet<string>> {
    return this.#installed.of(image);
  }

  canInstallIn(image: string): boolean {
    return this.#layers !== undefined && isDebian(image);
  }

  /**
   * The layer to mount over the image so that it has these packages; undefined when it has them all. Making it may
   * take minutes the first time. Throws `unsupported` or `unavailable`.
   */
  async layerFor(
    image: string,
    names: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    if (names.length === 0) return undefined;
    const installed = await this.installedIn(image);
    const absent = names.filter((name) => !installed.has(name));
    if (absent.length === 0) return undefined;
    if (this.#layers === undefined || !isDebian(image)) {
      throw packagesUnsupported(`the image lacks the packages ${absent.join(', ')}`);
    }
    return await unlessAborted(signal, this.#layers.of(image, absent));
  }

  lend(layer: string, until: Promise<unknown>): void {
    this.#layers?.lend(layer, until);
  }

  async keepInUse(): Promise<void> {
    await this.#layers?.keepLent();
  }

  close(): void {
    this.#layers?.close();
  }
}

/** Changes when layers are made in another way. */
const FORMAT_VERSION = 1;
const CACHE_BYTES_MAX = 4 * 1024 ** 3;

export interface LayerOptions {
  /** Survives restarts; shared by processes. */
  directory: string;
  bwrap: string;
  /** Maximum size of unused layers. Default 4 GiB. */
  bytesMax?: number | undefined;
}

/**
 * Packages that an image lacks, unpacked once per image and set of names into a directory that is laid over the image.
 */
export class PackageLayers {
  readonly #made = new SharedWork<string>();
  readonly #lent = new Map<string, number>();
  readonly #closing = new AbortController();

  constructor(private readonly options: LayerOptions) {}

  /** The root of the layer, made when it is not there. Throws `unsupported` or `unavailable`, with what to do. */
  async of(image: string, names: readonly string[]): Promise<string> {
    const wanted = [...new Set(names)].sort();
    const layer = path.join(this.options.directory, await keyOf(image, wanted));
    await touch(layer);
    if (existsSync(layer)) return path.join(layer, 'root');
    await this.#made.do(layer, () => this.#make(layer, { image, names: wanted }));
    return path.join(layer, 'root');
  }

  /** Keeps a layer from being evicted while a sandbox uses it. */
  lend(root: string, until: Promise<unknown>): void {
    const layer = path.dirname(root);
    const change = (by: number) => this.#lent.set(layer, (this.#lent.get(layer) ?? 0) + by);
    change(1);
    void until.then(() => {
      change(-1);
      if (this.#lent.get(layer) === 0) this.#lent.delete(layer);
    });
  }

  /** Reports to other processes, every minute, which layers are in use. */
  async keepLent(): Promise<void> {
    await Promise.all([...this.#lent.keys()].map(touch));
  }

  /** Ends what is under way. */
  close(): void {
    this.#closing.abort(new Error('the sandbox provider is closed'));
  }

  async #make(layer: string, { image, names }: { image: string; names: readonly string[] }): Promise<string> {
    const { directory, bwrap, bytesMax = CACHE_BYTES_MAX } = this.options;
    const { signal } = this.#closing;
    await mkdir(directory, { recursive: true, mode: 0o755 });
    return await whileLocked(path.join(directory, 'lock'), signal, async () => {
      if (existsSync(layer)) return layer;
      await removeLeftovers(directory);
      const building = await mkdtemp(path.join(directory, 'build-'));
      try {
        await chmod(building, 0o755);
        const lists = path.join(directory, `lists-${digest(image)}`);
        const packages = await new Apt(image, lists, signal).download(names, path.join(building, 'archives'));
        const bytes = await unpack({ packages, directory: building, image, bwrap, signal });
        await rm(path.join(building, 'archives'), { recursive: true });
        const facts = { image, names, bytes, files: packages.map((file) => path.basename(file)) };
        await writeFile(path.join(building, LAYER_FACTS), JSON.stringify(facts));
        await rename(building, layer);
      } finally {
        await rm(building, { recursive: true, force: true });
      }
      await evict(directory, { bytesMax, keep: new Set([layer, ...this.#lent.keys()]) });
      return layer;
    });
  }
}

/** True when an image is of a kind whose packages this machine's tools can install. */
function isDebian(image: string): boolean {
  return ['var/lib/dpkg/status', 'etc/apt'].every((name) => existsSync(path.join(image, name)));
}

/** Another when anything is installed in the image, because a layer holds only what it lacked. */
async function keyOf(image: string, names: readonly string[]): Promise<string> {
  const status = await readFile(path.join(image, 'var/lib/dpkg/status'));
  return `layer-${digest(JSON.stringify([FORMAT_VERSION, process.arch, image, names]), status)}`;
}

function digest(...parts: (string | Buffer)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 16);
}

async function touch(layer: string): Promise<void> {
  const now = new Date();
  await utimes(path.join(layer, LAYER_FACTS), now, now).catch(() => {});
}

/** Reports that it has the lock, and keeps it until its input ends: with its owner at the latest. */
const HOLD = 'echo; exec cat > /dev/null';

/** Does the work while no other process on this machine that locks the same file does. */
async function whileLocked<T>(file: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const holder = spawn('flock', ['--exclusive', file, '/bin/sh', '-c', HOLD], {
    env: toolEnvironment(),
    stdio: ['pipe', 'pipe', 'ignore'],
    signal,
  });
  const ended = new Promise<never>((_, reject) => {
    const fail = (cause: unknown) => {
      signal.throwIfAborted();
      throw new SandboxError('unavailable', 'the packages of sandboxes cannot be locked', { cause });
    };
    const end = (cause: unknown) => {
      try {
        fail(cause);
      } catch (error) {
        reject(error);
      }
    };
    holder.once('error', end).once('exit', end);
  });
  ended.catch(() => {});
  try {
    await Promise.race([once(holder.stdout, 'data'), ended]);
    return await work();
  } finally {
    holder.stdin.destroy();
  }
}
