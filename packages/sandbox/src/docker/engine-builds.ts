import path from 'node:path';
import { replaceBaseImages } from '@agentclash/domain';
import { contextArchive } from '../builds/build-context.js';
import { LAST_LINES } from '../builds/build-failure.js';
import { readDockerfile } from '../builds/dockerfile.js';
import { type RunningBuild, refuseNetwork, SharedBuilds } from '../builds/shared-builds.js';
import type { ImageBuild, PrepareOptions } from '../image.js';
import { SandboxError } from '../sandbox-error.js';
import { BuildWatch } from './build-watch.js';
import type { Engine } from './engine.js';
import { EngineError } from './engine-error.js';
import type { EngineImages } from './engine-images.js';
import { BUILT_NAME, BUILT_REPOSITORY } from './image-cache.js';

const GIB = 1024 ** 3;
const LIMITS = { memoryBytes: 4 * GIB, cpu: 2, diskBytes: 16 * GIB };
const CPU_PERIOD_US = 100_000;
const LINE_CHARACTERS_MAX = 2_000;

type Limits = typeof LIMITS;

/** Images from Dockerfiles, by the builder of the engine. */
export class EngineBuilds {
  /** One after the other: builds may take all CPU and memory of a machine otherwise. */
  readonly #builds = new SharedBuilds(1);
  readonly #limits: Limits;

  constructor(
    private readonly engine: Engine,
    private readonly images: EngineImages,
    private readonly options: { hasNetwork: boolean; limits?: Partial<Limits> },
  ) {
    this.#limits = { ...LIMITS, ...options.limits };
  }

  /** Ends the builds that run. */
  async close(): Promise<void> {
    await this.#builds.close();
  }

  /** The reference of the image, built once per key. Throws `invalid_image` where trying again cannot help. */
  async build(build: ImageBuild, options: PrepareOptions = {}): Promise<string> {
    const known = await this.images.find(tagOf(build));
    if (known !== undefined) {
      await this.images.cache.keep(known, false);
      return `${BUILT_NAME}@${known.Id}`;
    }
    if (build.network === 'host' && !this.options.hasNetwork) {
      const fix = 'set SANDBOX_BUILD_NETWORK=host where Dockerfiles may reach all that the daemon reaches';
      refuseNetwork(fix);
    }
    return await this.#builds.do(build, options, (running) => this.#build(build, running));
  }

  async #build(build: ImageBuild, { signal, onProgress }: RunningBuild): Promise<string> {
    const text = await this.#dockerfile(build, { signal, onProgress });
    const stop = new AbortController();
    const timer = setTimeout(
      () =>
        stop.abort(new SandboxError('invalid_image', `the build did not end within ${build.timeoutMs} ms`)),
      build.timeoutMs,
    );
    const watch = new BuildWatch(this.engine, this.#limits.diskBytes, (error) => stop.abort(error));
    const ended = AbortSignal.any([signal, stop.signal]);
    try {
      const id = await this.#run({ build, text, watch }, { signal: ended, onProgress });
      await this.images.evict();
      return `${BUILT_NAME}@${id}`;
    } catch (error) {
      signal.throwIfAborted();
      if (stop.signal.aborted) throw stop.signal.reason;
      throw error;
    } finally {
      clearTimeout(timer);
      await watch.close();
    }
  }

  async #run(
    { build, text, watch }: { build: ImageBuild; text: string; watch: BuildWatch },
    { signal, onProgress }: RunningBuild,
  ): Promise<string> {
    const query = this.#query(build);
    const body = contextArchive(build.context, { name: posix(build.dockerfile), text });
    const lines: string[] = [];
    let open = '';
    let id: string | undefined;
    try {
      for await (const message of this.engine.messages('POST', '/build', { query, body, signal })) {
        const failed = message.errorDetail?.message ?? message.error;
        if (failed !== undefined) throw failure(failed, lines, this.#limits);
        id = message.aux?.ID ?? id;
        const parts = (open + (message.stream ?? '')).split('\n');
        open = (parts.pop() ?? '').slice(0, LINE_CHARACTERS_MAX);
        for (const part of parts.filter((each) => each.trim() !== '')) {
          const line = part.slice(0, LINE_CHARACTERS_MAX);
          watch.onLine(line);
          lines.push(line);
          if (lines.length > LAST_LINES) lines.shift();
          onProgress({ phase: 'build', line });
        }
      }
    } catch (error) {
      if (error instanceof EngineError) throw failure(error.reason, lines, this.#limits);
      throw error;
    }
    if (id === undefined) throw new SandboxError('invalid_image', 'the build made no image');
    return id;
  }

  /** With the ids of the images that its stages start from, which are pulled where they are not there. */
  async #dockerfile(build: ImageBuild, { signal, onProgress }: RunningBuild): Promise<string> {
    const { text, bases } = await readDockerfile(build);
    const ids = new Map<string, string>();
    for (const name of bases) {
      onProgress({ phase: 'pull', line: `pulling ${name}` });
      ids.set(name, (await this.images.details(name, { signal, onProgress })).Id);
    }
    return replaceBaseImages(text, (name) => ids.get(name) ?? name);
  }

  #query(build: ImageBuild): Record<string, string> {
    const { memoryBytes, cpu } = this.#limits;
    return {
      dockerfile: posix(build.dockerfile),
      t: tagOf(build),
      // The classic builder: its steps are containers, which have limits.
      version: '1',
      networkmode: build.network === 'host' ? 'host' : 'none',
      rm: '1',
      forcerm: '1',
      memory: String(memoryBytes),
      memswap: String(memoryBytes),
      cpuperiod: String(CPU_PERIOD_US),
      cpuquota: String(cpu * CPU_PERIOD_US),
    };
  }
}

function tagOf({ key }: ImageBuild): string {
  return `${BUILT_REPOSITORY}:${key}`;
}

function posix(name: string): string {
  return name.split(path.sep).join('/');
}

function failure(reason: string, lines: readonly string[], { memoryBytes }: Limits): SandboxError {
  const output = [...lines, reason].join('\n');
  if (/no space left on device|disk quota exceeded/i.test(reason)) {
    return new SandboxError('unavailable', 'there is no space left for a build', {
      cause: new Error(output),
      fix: 'free space on the disk of the Docker daemon, for instance with `docker system prune`',
    });
  }
  const cause = /returned a non-zero code: 137/.test(reason)
    ? `: a command was killed, perhaps for more than the ${memoryBytes} bytes of memory that a build has`
    : /requires BuildKit|unknown flag|unknown instruction/i.test(reason)
      ? ': the builder of the engine takes no instructions of BuildKit'
      : '';
  return new SandboxError('invalid_image', `the build failed${cause}\n${output}`);
}
