import { setTimeout as pause } from 'node:timers/promises';
import { replaceBaseImages } from '@agentclash/domain';
import { readDockerfile } from '../builds/dockerfile.js';
import { type RunningBuild, refuseNetwork, SharedBuilds } from '../builds/shared-builds.js';
import type { ImageBuild, PrepareOptions } from '../image.js';
import { isSandboxError, SandboxError } from '../sandbox-error.js';
import type { KubernetesApi } from './api.js';
import { contextSize } from './build-context-stream.js';
import { type BuilderOptions, type BuildPlan, buildJob, limitsOf, RECORDS } from './build-job.js';
import { BuildRecords } from './build-records.js';
import { BuildWatch } from './build-watch.js';
import type { KubernetesObject } from './objects.js';

const ATTEMPTS_MAX = 3;
const AT_ONCE = 4;
const KEY_CHARACTERS = 40;
const SAMPLE: BuildPlan = {
  ...{ name: 'build-check', key: 'check', dockerfile: '', bases: [], pulled: [] },
  ...{ contextBytes: 0, timeoutMs: 1_000, hasNetwork: false },
};

/** Images from Dockerfiles, built by jobs of the cluster and pushed to a registry. Each is built once for all executors. */
export class PodBuilds {
  /** As many jobs as there are Dockerfiles would wait in the cluster, beyond the limits of their starts. */
  readonly #builds = new SharedBuilds(AT_ONCE);
  readonly #records: BuildRecords;

  constructor(
    /** Of the namespace of builds. */
    private readonly api: KubernetesApi,
    private readonly options: BuilderOptions,
    private readonly given: {
      hasNetwork: boolean;
      /** Throws `invalid_image` where nodes cannot pull an image any more. */
      pull: (reference: string, options: PrepareOptions) => Promise<unknown>;
    },
  ) {
    this.#records = new BuildRecords(api, this.#repository);
  }

  /** Why this cluster builds nothing; undefined where it does. */
  async problem(): Promise<string | undefined> {
    try {
      if (!(await this.#records.exist())) {
        return `the namespace ${this.options.namespace} has no ConfigMap ${RECORDS}`;
      }
      return await this.api.problemOfNew('jobs', buildJob(SAMPLE, this.options));
    } catch (error) {
      const { message, cause } = error as Error;
      return cause instanceof Error ? cause.message : message;
    }
  }

  async close(): Promise<void> {
    await this.#builds.close();
    await this.api.close();
  }

  /** The reference by digest, which nodes can pull. Throws `invalid_image` where trying again cannot help. */
  async build(build: ImageBuild, options: PrepareOptions = {}): Promise<string> {
    if (build.network === 'host' && !this.given.hasNetwork) {
      const fix =
        'set SANDBOX_BUILD_NETWORK=public where the network policies of builds let Dockerfiles reach public addresses';
      refuseNetwork(fix);
    }
    return await this.#builds.do(build, options, (running) => this.#once(build, running));
  }

  async #once(build: ImageBuild, running: RunningBuild): Promise<string> {
    const { text, bases } = await readDockerfile(build);
    const directory = build.context;
    const context = { directory, dockerfile: { name: build.dockerfile, text } };
    const plan: BuildPlan = {
      name: `build-${build.key.slice(0, KEY_CHARACTERS)}`,
      key: build.key,
      dockerfile: replaceBaseImages(text, (name) => `localhost/base${bases.indexOf(name)}`),
      bases,
      pulled: await this.#pulled(bases),
      contextBytes: await contextSize(context, limitsOf(this.options).diskBytes),
      timeoutMs: build.timeoutMs,
      hasNetwork: build.network === 'host',
    };
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts++) {
      const known = await this.#known(build.key, running);
      if (known !== undefined) return known;
      const digest = await this.#byJob(plan, context, running);
      // Its executor has removed the job: with a record where it has succeeded.
      if (digest === undefined) continue;
      const reference = `${this.#repository}@${digest}`;
      await this.#records.keep(build.key, reference);
      return reference;
    }
    throw new SandboxError('unavailable', `the job ${plan.name} of a build was deleted before its end`);
  }

  /** An image that the registry has lost is built again. */
  async #known(key: string, { signal }: RunningBuild): Promise<string | undefined> {
    const known = await this.#records.find(key);
    if (known === undefined) return undefined;
    try {
      await this.given.pull(known, { signal });
      return known;
    } catch (error) {
      if (!isSandboxError(error, 'invalid_image')) throw error;
      await this.#records.forget(key);
      return undefined;
    }
  }

  /** The digest; undefined where another has deleted the job. */
  async #byJob(
    plan: BuildPlan,
    context: { directory: string; dockerfile: { name: string; text: string } },
    { signal, onProgress }: RunningBuild,
  ): Promise<string | undefined> {
    const created = await this.api.createUnlessThere('jobs', buildJob(plan, this.options), signal);
    const job = created ?? (await this.api.find<KubernetesObject>('jobs', plan.name));
    if (job === undefined) {
      await pause(1_000, undefined, { signal });
      return undefined;
    }
    const { uid = '' } = job.metadata;
    let isOver = false;
    try {
      const watch = new BuildWatch(this.api, this.options, { plan, uid, onProgress });
      const digest = await watch.result(created === undefined ? undefined : context, signal);
      isOver = true;
      return digest;
    } catch (error) {
      isOver = !signal.aborted;
      throw error;
    } finally {
      // A job of another executor is only left alone while that may still need it.
      if (isOver || created !== undefined) await this.api.deleteWithDependents('jobs', plan.name, uid);
    }
  }

  async #pulled(bases: readonly string[]): Promise<BuildPlan['pulled']> {
    const { ImageError, parseReference, pinned } = await import('@agentclash/images');
    const [host = ''] = this.options.repository.split('/');
    return bases.map((name) => {
      try {
        const reference = parseReference(name);
        const { digest, registry, repository, tag = 'latest' } = reference;
        const full = digest === undefined ? `${registry}/${repository}:${tag}` : pinned(reference, digest);
        return { name: full, isInsecure: this.options.isInsecure === true && registry === host };
      } catch (error) {
        if (!(error instanceof ImageError)) throw error;
        throw new SandboxError(error.code, error.message, error.fix === undefined ? {} : { fix: error.fix });
      }
    });
  }

  get #repository(): string {
    return this.options.pullRepository ?? this.options.repository;
  }
}
