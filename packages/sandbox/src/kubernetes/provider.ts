import { createHash, randomBytes, randomInt } from 'node:crypto';
import { refuseUnsupported } from '../capabilities.js';
import type { ReapReport, SandboxCapabilities } from '../contract.js';
import type { ImageBuild, PreparedImage, PrepareOptions } from '../image.js';
import { packagesUnsupported } from '../packages/apt-errors.js';
import { ImagePackages } from '../packages/installed-packages.js';
import { unlessAborted } from '../packages/shared-work.js';
import { POOL_DEFAULTS, SandboxPool } from '../remote/pool.js';
import { RemoteSandboxProvider } from '../remote/remote-provider.js';
import type { ResolvedSpec } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import { KubernetesApi } from './api.js';
import { probeClaim } from './claim-probe.js';
import { podAccess } from './config.js';
import type { KubernetesOptions } from './options.js';
import { podManifest } from './pod.js';
import { PodBuilds } from './pod-builds.js';
import { PodImages } from './pod-images.js';
import { PlainPods, type PodObjects, SandboxObjects } from './pod-objects.js';
import { PodSandbox } from './pod-sandbox.js';
import { sweep } from './pods.js';
import { type Enforcement, probePolicies, SANDBOX_POLICY } from './policy-probe.js';

const START_TIMEOUT_MS = 120_000;
/** A pod that waits for a sandbox is removed by others after so long, where its executor is gone. */
const WAITING_LEASE_MS = 15 * 60_000;
/** Older ones are not used, so that none is removed while it becomes a sandbox. */
const WAITED_MS_MAX = WAITING_LEASE_MS - 60_000;
const WAITING = { runId: 'none', attemptId: 'none' };

/** The name of a cluster's API server inside it, and the timeout of the probe. */
export interface ClusterFacts {
  /** Default: the address of the API server. */
  probeTarget?: { host: string; port: number };
  settleMs?: number;
}

/** Sandboxes as pods. Throws `unavailable` when the cluster cannot be used. */
export async function createKubernetesProvider(
  options: KubernetesOptions,
  facts: ClusterFacts = {},
): Promise<KubernetesProvider> {
  const access = options.access ?? (await podAccess());
  const api = new KubernetesApi(access, options.namespace);
  try {
    await sweep({ api, objects: objectsOf(api, options), owner: options.owner, live: new Set() });
    await api.putNetworkPolicy(SANDBOX_POLICY);
    const { hostname, port } = new URL(access.url);
    const target = facts.probeTarget ?? { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) };
    const settle = facts.settleMs === undefined ? {} : { settleMs: facts.settleMs };
    const enforcement = await probePolicies({ api, options, target, ...settle });
    const { directories: claim } = options;
    if (claim !== undefined) await probeClaim({ api, options, claim });
    const imageProblem = await new PodImages(api, options).problem();
    const buildProblem = await buildProblemOf(api, options);
    return new KubernetesProvider(api, options, { enforcement, imageProblem, buildProblem });
  } catch (error) {
    await api.close();
    throw error;
  }
}

export interface ClusterFindings {
  /** The network isolation of pods by the cluster; where it is not proven, no pack gets network. */
  enforcement: Enforcement;
  /** Why no pod of an image with a writable root may be created; undefined where it may. */
  imageProblem: string | undefined;
  /** Why no job may build Dockerfiles; undefined where it may, or none is configured. */
  buildProblem?: string | undefined;
}

async function buildProblemOf(
  api: KubernetesApi,
  { builds }: KubernetesOptions,
): Promise<string | undefined> {
  if (builds === undefined) return undefined;
  const checked = new PodBuilds(api.in(builds.namespace), builds, {
    hasNetwork: false,
    pull: async () => {},
  });
  return await checked.problem().finally(() => checked.close());
}

function objectsOf(api: KubernetesApi, { objects }: KubernetesOptions): PodObjects {
  return objects === 'sandboxes' ? new SandboxObjects(api) : new PlainPods(api);
}

export class KubernetesProvider extends RemoteSandboxProvider {
  readonly name = 'kubernetes';
  readonly capabilities: SandboxCapabilities;
  readonly enforcement: Enforcement;
  readonly imageProblem: string | undefined;
  readonly buildProblem: string | undefined;
  readonly #builds: PodBuilds | undefined;
  readonly #packages = new ImagePackages((spec) => this.create(spec));
  readonly #images: PodImages;
  readonly #objects: PodObjects;
  readonly #pool: SandboxPool<PodSandbox>;
  /** The ids of pods that wait for a sandbox, and of those that are becoming one. */
  readonly #waiting = new Set<string>();

  constructor(
    private readonly api: KubernetesApi,
    private readonly options: KubernetesOptions,
    { enforcement, imageProblem, buildProblem }: ClusterFindings,
  ) {
    super(options);
    this.enforcement = enforcement;
    this.imageProblem = imageProblem;
    this.buildProblem = buildProblem;
    this.#images = new PodImages(api, options);
    const { builds } = options;
    const hasNetwork =
      builds?.network === 'any' || (builds?.network === 'bounded' && enforcement === 'enforced');
    if (builds !== undefined && buildProblem === undefined && imageProblem === undefined) {
      const pull = (reference: string, given: PrepareOptions) => this.#images.prepare(reference, given);
      this.#builds = new PodBuilds(api.in(builds.namespace), builds, { hasNetwork, pull });
    }
    this.#objects = objectsOf(api, options);
    this.#pool = new SandboxPool(
      { ...POOL_DEFAULTS, size: 0, ...options.pool },
      {
        remove: (sandbox) => this.#removeWaiting(sandbox),
        onProblem: (cause) => this.onProblem('start of a pod that waits for a sandbox failed', cause),
      },
    );
    const images = imageProblem === undefined;
    const { isStronglyIsolated = false, hasUserNamespaces = false, allowsRootOfNode = false } = options;
    this.capabilities = {
      packages: false,
      templates: Object.keys(options.templates ?? {}),
      egressProxy: enforcement === 'enforced',
      hostDirectories: options.directories !== undefined,
      rawNetwork: false,
      images,
      imageBuilds: this.#builds !== undefined,
      networkInBuilds: this.#builds !== undefined && hasNetwork,
      rootInImages: images && (isStronglyIsolated || hasUserNamespaces || allowsRootOfNode),
      strongIsolation: isStronglyIsolated,
      groupLimits: true,
      cpuStarvation: 'none',
    };
  }

  reap(): Promise<ReapReport> {
    const { api, options } = this;
    return sweep({
      api,
      objects: this.#objects,
      owner: options.owner,
      live: new Set([...this.lifecycle.live.keys(), ...this.#waiting]),
    });
  }

  /** Read from a pod of each image, once; where none starts soon, nothing is known yet. */
  installedPackages(template?: string): Promise<ReadonlySet<string>> {
    const image = template === undefined ? 'the default image' : `template ${template}`;
    return this.#packages.soon(template, (cause) =>
      this.onProblem(`package query of ${image} failed`, cause),
    );
  }

  /** Pulls it to one node; the others pull it with their first sandbox of it. */
  async prepareImage(reference: string, options?: PrepareOptions): Promise<PreparedImage> {
    if (!this.capabilities.images) {
      throw new SandboxError('unsupported', 'this sandbox provider has no images', { capability: 'images' });
    }
    return await this.#images.prepare(reference, options);
  }

  /** By a job, whose image nodes pull like any other. */
  async buildImage(build: ImageBuild, options?: PrepareOptions): Promise<string> {
    this.lifecycle.checkOpen(options?.signal);
    if (this.#builds === undefined) {
      const message = 'no job of this cluster builds Dockerfiles';
      const fix =
        'take the component image-builds and set SANDBOX_BUILDER_IMAGE (docs/kubernetes.md), or build the image, push it, and name it as sandbox.image';
      throw new SandboxError('unsupported', message, { capability: 'imageBuilds', fix });
    }
    return await this.#builds.build(build, options);
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.#pool.close(), this.#builds?.close()]);
    await this.api.close();
  }

  protected override async allocate(spec: ResolvedSpec, signal: AbortSignal | undefined) {
    refuseUnsupported({ ...spec, packages: [] }, this.capabilities);
    await this.#refuseAbsent(spec, signal);
    const image = spec.image && (await this.#images.prepare(spec.image.reference, signal && { signal }));
    this.lifecycle.checkOpen(signal);
    return (await this.#waitingFor(spec, image, signal)) ?? this.#sandbox(spec, image);
  }

  /** A pod that any sandbox like this one may use, and that none has used. */
  async #waitingFor(
    spec: ResolvedSpec,
    image: PreparedImage | undefined,
    signal: AbortSignal | undefined,
  ): Promise<PodSandbox | undefined> {
    const { options } = this;
    const { limits } = spec;
    const wallMs = limits.wallMs === undefined ? {} : { wallMs: limits.wallMs + WAITING_LEASE_MS };
    const common = { ...spec, labels: WAITING, leaseMs: WAITING_LEASE_MS, limits: { ...limits, ...wallMs } };
    const { spec: pod } = podManifest({ name: '', spec: common, options, now: 0 });
    const kind = createHash('sha256')
      .update(JSON.stringify([pod, limits.pids]))
      .digest('hex');
    const sandbox = await this.#pool.take(kind, () => this.#started(common, image), signal);
    if (sandbox === undefined) return undefined;
    if (!(await sandbox.isReady(WAITED_MS_MAX))) {
      await this.#removeWaiting(sandbox);
      return undefined;
    }
    this.lifecycle.live.set(sandbox.id, undefined);
    this.#waiting.delete(sandbox.id);
    return sandbox;
  }

  async #started(spec: ResolvedSpec, image: PreparedImage | undefined): Promise<PodSandbox> {
    const sandbox = this.#sandbox(spec, image);
    this.#waiting.add(sandbox.id);
    try {
      await sandbox.start();
      return sandbox;
    } catch (error) {
      await this.#removeWaiting(sandbox);
      throw error;
    }
  }

  /** Where it fails the pod is no longer among those that live, so that the next reap removes it. */
  async #removeWaiting(sandbox: PodSandbox): Promise<void> {
    await sandbox
      .destroy()
      .catch((cause) => this.onProblem('removal of a pod that waits for a sandbox failed', cause));
    this.#waiting.delete(sandbox.id);
  }

  #sandbox(spec: ResolvedSpec, image: PreparedImage | undefined): PodSandbox {
    const { options } = this;
    const { startTimeoutMs = START_TIMEOUT_MS } = options;
    const name = `sb-${randomBytes(8).toString('hex')}`;
    const uid = this.#pickUid();
    const manifest = podManifest({ name, spec, options, now: this.api.now(), uid });
    const pids = this.#countsProcessesOf(spec) ? Math.floor(spec.limits.pids) : 0;
    const plan = { manifest, objects: this.#objects, pids, startTimeoutMs, image, options };
    return new PodSandbox(name, plan, this.api, this.onProblem);
  }

  /** True when no other pod of its node has the uid of this one: those of images all have that of the image. */
  #countsProcessesOf({ image }: ResolvedSpec): boolean {
    const { hasUserNamespaces = false, uids } = this.options;
    return hasUserNamespaces || (uids !== undefined && image === undefined);
  }

  async #refuseAbsent({ packages, template }: ResolvedSpec, signal: AbortSignal | undefined): Promise<void> {
    if (packages.length === 0) return;
    const installed = await unlessAborted(signal, this.#packages.of(template));
    const absent = packages.filter((name) => !installed.has(name));
    if (absent.length > 0) throw packagesUnsupported(`the image lacks the packages ${absent.join(', ')}`);
  }

  /** At random: executors do not know the uids of others, and a large range makes two equal ones on a node unlikely. */
  #pickUid(): number | undefined {
    const { uids, hasUserNamespaces } = this.options;
    // In a user namespace ids are each pod's own anyway, and there are only 65,536 of them.
    if (uids === undefined || hasUserNamespaces) return undefined;
    return randomInt(uids.first, uids.last + 1);
  }
}
