import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { chmod, chown, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { replaceBaseImages } from '@agentclash/domain';
import { buildFailure, LAST_LINES } from '../builds/build-failure.js';
import { readDockerfile } from '../builds/dockerfile.js';
import { type RunningBuild, refuseNetwork, SharedBuilds } from '../builds/shared-builds.js';
import { findProgram, toolEnvironment } from '../host/config.js';
import type { ImageBuild, PrepareOptions } from '../image.js';
import { SandboxError } from '../sandbox-error.js';
import { buildArguments, buildScript, LAYOUT_NAME } from './build-arguments.js';
import { type BuildNetwork, serveProxy } from './build-network.js';
import { Cgroup } from './cgroup.js';
import { makeImage } from './disk-image.js';
import type { Host } from './host.js';
import type { LiveRecords } from './live-records.js';
import { outputLines } from './output-lines.js';

/** The images of this machine, as builds read and add them. Methods throw SandboxError. */
export interface BuiltImages {
  /** The reference by digest of an image that is there. */
  find(name: string): Promise<string | undefined>;
  /** Writes an image as a layout whose tag is `name`, pulled where it is not there. */
  export(
    reference: string,
    target: { directory: string; name: string; signal?: AbortSignal | undefined },
  ): Promise<void>;
  /** Takes the images of an archive and returns their references. */
  load(file: string, options?: { signal?: AbortSignal }): Promise<string[]>;
}

export interface BuildLimits {
  /** For the storage of the build: all layers that it makes, twice. */
  diskBytes: number;
  memoryBytes: number;
  pids: number;
  cpu: number;
  /** Builds at the same time. */
  atOnce: number;
}

const GIB = 1024 ** 3;
const BUILD_LIMITS: BuildLimits = {
  diskBytes: 16 * GIB,
  memoryBytes: 4 * GIB,
  pids: 1_024,
  cpu: Math.min(2, availableParallelism()),
  atOnce: 2,
};
/** No registry has such a name. */
const BUILT = 'build.invalid/image';

/** The program that builds images; undefined where it is not installed or cannot be contained here. */
export function findBuilder(host: Host): string | undefined {
  return host.canMountImages && host.imageMaker !== undefined ? findProgram('buildah') : undefined;
}

/**
 * Builds images with buildah: in a user namespace and namespaces of its own, on a disk of its own, below limits of memory,
 * processes and CPU, and without a network unless one is required.
 */
export class ImageBuilds {
  readonly #builds: SharedBuilds;
  readonly #limits: BuildLimits;

  constructor(
    private readonly host: Host,
    private readonly records: LiveRecords,
    private readonly options: {
      images: BuiltImages;
      buildah: string;
      network: BuildNetwork | undefined;
      limits?: Partial<BuildLimits> | undefined;
    },
  ) {
    this.#limits = { ...BUILD_LIMITS, ...options.limits };
    this.#builds = new SharedBuilds(this.#limits.atOnce);
  }

  /** Ends the builds that run. */
  async close(): Promise<void> {
    await this.#builds.close();
  }

  /** The reference of the image, built once per key. Throws `invalid_image` where trying again cannot help. */
  async build(build: ImageBuild, options: PrepareOptions = {}): Promise<string> {
    const name = `${BUILT}:${build.key}`;
    const known = await this.options.images.find(name);
    if (known !== undefined) return known;
    if (build.network === 'host' && this.options.network === undefined) {
      const fix = 'set SANDBOX_BUILD_NETWORK=public where Dockerfiles may reach public addresses';
      refuseNetwork(fix);
    }
    return await this.#builds.do(build, options, (running) => this.#build(build, name, running));
  }

  async #build(build: ImageBuild, name: string, { signal, onProgress }: RunningBuild): Promise<string> {
    const id = `sb-${randomBytes(8).toString('hex')}`;
    const record = this.records.claim(id, { runId: 'build', attemptId: build.key }, 'range');
    const work = path.join(this.host.buildDirectory, id);
    const disk = path.join(work, 'disk');
    let cgroup: Cgroup | undefined;
    let endProxy = () => {};
    try {
      const uid = record.uid ?? 0;
      await mkdir(this.host.buildDirectory, { recursive: true, mode: 0o755 });
      await mkdir(work, { mode: 0o700 });
      const bases = await this.#prepare(build, work, { signal, onProgress });
      await own(work, uid);
      await makeImage(this.host.imageMaker ?? '', disk, this.#limits.diskBytes);
      if (this.host.layout) cgroup = Cgroup.create(this.host.layout, id, this.#limits);
      const archive = path.join(work, 'built.tar');
      const network = build.network === 'host' ? this.options.network : undefined;
      if (typeof network === 'object') endProxy = await serveProxy(network, { work, uid });
      const script = buildScript({ bases, name, isProxied: typeof network === 'object' });
      const args = buildArguments(this.host, {
        ...{ buildah: this.options.buildah, uid, work, script },
        disk,
        cgroupFiles: cgroup?.joinFiles ?? [],
        network,
      });
      await this.#run(args, { archive, build, signal, onProgress });
      const [reference] = await this.options.images.load(archive, { signal });
      if (reference === undefined) throw new SandboxError('invalid_image', 'the build made no image');
      return reference;
    } catch (error) {
      throw buildError(error);
    } finally {
      endProxy();
      await cgroup?.remove();
      await rm(work, { recursive: true, force: true });
      this.records.release(record);
    }
  }

  /** The context, the images that the Dockerfile names, and the few files of a system that buildah reads. */
  async #prepare(build: ImageBuild, work: string, { signal, onProgress }: RunningBuild): Promise<string[]> {
    const context = path.join(work, 'context');
    await cp(build.context, context, { recursive: true, verbatimSymlinks: true });
    const { text, bases: names } = await readDockerfile({ ...build, context });
    for (const [index, image] of names.entries()) {
      onProgress?.({ phase: 'pull', line: `pulling ${image}` });
      const directory = path.join(work, 'bases', String(index));
      await mkdir(directory, { recursive: true });
      await this.options.images.export(image, { directory, name: LAYOUT_NAME, signal });
    }
    await writeFile(
      path.join(work, 'Dockerfile'),
      replaceBaseImages(text, (name) => `localhost/base${names.indexOf(name)}`),
    );
    await writeSystem(path.join(work, 'etc'));
    return names;
  }

  /** Its output is the archive, its errors are the output of the build. */
  async #run(
    args: readonly string[],
    { archive, build, signal, onProgress }: RunningBuild & { archive: string; build: ImageBuild },
  ): Promise<void> {
    const child = spawn(this.host.tools.launcher, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: toolEnvironment(),
      cwd: '/',
    });
    const kill = () => child.kill('SIGKILL');
    let isOverdue = false;
    const timer = setTimeout(() => {
      isOverdue = true;
      kill();
    }, build.timeoutMs);
    signal.addEventListener('abort', kill, { once: true });
    const lines: string[] = [];
    const reading = async () => {
      for await (const line of outputLines(child.stderr)) {
        lines.push(line);
        if (lines.length > LAST_LINES) lines.shift();
        onProgress?.({ phase: 'build', line });
      }
    };
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    try {
      const [code] = await Promise.all([
        ended,
        reading(),
        pipeline(child.stdout, bounded(this.#limits.diskBytes), createWriteStream(archive)).catch(
          (error: unknown) => {
            kill();
            throw error;
          },
        ),
      ]);
      signal.throwIfAborted();
      if (isOverdue)
        throw new SandboxError('invalid_image', `the build did not end within ${build.timeoutMs} ms`);
      if (code !== 0) throw buildFailure(lines, this.#limits);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      kill();
    }
  }
}

function bounded(bytesMax: number) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > bytesMax)
        throw new SandboxError('invalid_image', `the image is larger than ${bytesMax} bytes`);
      yield chunk;
    }
  };
}

function buildError(error: unknown): unknown {
  if (error instanceof SandboxError) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ABORT_ERR' || (error as Error).name === 'TimeoutError') return error;
  const isFull = code === 'ENOSPC' || /No space left/.test(String((error as { stderr?: string }).stderr));
  const message = isFull ? 'there is no space left for a build' : 'the build could not be started';
  const fix = isFull ? 'free space in the cache of sandboxes' : undefined;
  return new SandboxError('unavailable', message, { cause: error, ...(fix && { fix }) });
}

/** A policy that takes what was checked here, and no registry. */
async function writeSystem(directory: string): Promise<void> {
  await mkdir(path.join(directory, 'containers'), { recursive: true });
  const files: Record<string, string> = {
    'containers/policy.json': '{"default":[{"type":"insecureAcceptAnything"}]}',
    'containers/registries.conf': 'unqualified-search-registries = []\n',
    passwd: 'root:x:0:0::/:/bin/sh\n',
    group: 'root:x:0:\n',
  };
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(directory, name), content);
  for (const name of ['resolv.conf', 'hosts']) {
    const text = existsSync(`/etc/${name}`) ? await readFile(`/etc/${name}`) : '';
    await writeFile(path.join(directory, name), text);
  }
}

/** Shown to the build alone, whose root has this uid. */
async function own(directory: string, uid: number): Promise<void> {
  await chmod(directory, 0o700);
  await chown(directory, uid, uid);
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink()) await chown(file, uid, uid);
  }
}
