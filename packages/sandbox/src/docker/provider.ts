import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { Shortfall } from '../bubblewrap/host.js';
import { refuseUnsupported } from '../capabilities.js';
import type { IsolationLevel, ReapReport, SandboxCapabilities } from '../contract.js';
import type { ImageBuild, PreparedImage, PrepareOptions } from '../image.js';
import { firstInsideLeaseMs } from '../inside/lifetime.js';
import { isolationProblems } from '../isolation-problems.js';
import { packagesUnsupported } from '../packages/apt-errors.js';
import { ImagePackages } from '../packages/installed-packages.js';
import { unlessAborted } from '../packages/shared-work.js';
import { POOL_DEFAULTS, SandboxPool } from '../remote/pool.js';
import { RemoteSandboxProvider } from '../remote/remote-provider.js';
import { type ResolvedSpec, resolveSpec } from '../resolved-spec.js';
import { isSandboxError, SandboxError } from '../sandbox-error.js';
import { BaseImages } from './base-images.js';
import type { ContainerPlan } from './container.js';
import { ContainerSandbox } from './container-sandbox.js';
import { sweep } from './containers.js';
import { type DaemonFacts, factsOf, probeDirectories, shortfallsOf } from './daemon-facts.js';
import { Engine } from './engine.js';
import { EngineBuilds } from './engine-builds.js';
import { EngineImages } from './engine-images.js';
import type { EngineInfo } from './engine-objects.js';
import { type ImageRight, imageRights } from './image-rights.js';
import { insideVolume, keepInsideVolume, machineOf, removeOldVolumes } from './inside-volume.js';
import { removeUnusedDirectories } from './mounts.js';
import type { DockerOptions } from './options.js';
import { describeRuntime, fixOfRuntime, type GvisorRuntime, gvisorRuntime, refuseTooOld } from './runtime.js';

/** In a user namespace ids are each sandbox's own anyway. */
const UID_OF_NAMESPACE = 1000;
/** No ids of Debian, of systemd or of a user's containers; old programs take none above 2,097,151. */
const UIDS = { first: 1_500_000, last: 1_501_023 };
/** A sandbox that waits in the pool ends by itself after so long. */
const POOL_LEASE_MS = 15 * 60_000;
const MIB = 1024 * 1024;

interface Daemon {
  engine: Engine;
  images: EngineImages;
  bases: BaseImages;
  insideVolume: string;
  makeInsideVolume: () => Promise<string>;
  version: string;
  /** The release of its kernel. */
  kernel: string | undefined;
  /** Where sandboxes run on gVisor. */
  gvisor: GvisorRuntime | undefined;
  facts: DaemonFacts;
}

/** Sandboxes as containers of a Docker daemon. Throws `unavailable` when it cannot be used. */
export async function createDockerProvider(options: DockerOptions): Promise<DockerProvider> {
  const engine = new Engine(options.address);
  const info = await engine.get<EngineInfo>('/info');
  const machine = machineOf(info);
  const facts = factsOf(info, options);
  const { owner } = options;
  const gvisor = await gvisorRuntime(info, options.address, options.runtime ?? info.DefaultRuntime ?? '');
  if (gvisor) refuseTooOld(gvisor);
  await sweep(engine, { owner, live: new Set() });
  const images = new EngineImages(engine, {
    machine,
    credentials: options.credentials,
    bytesMax: options.imageBytesMax,
    pulls: options.pulls,
    rootDirectory: facts.rootDirectory,
    onProblem: (message, cause) => options.onProblem?.(message, cause),
  });
  const uids = facts.hasUserNamespaces ? { first: UID_OF_NAMESPACE, last: UID_OF_NAMESPACE } : UIDS;
  const bases = new BaseImages(engine, images, { owner, uids });
  const image = await bases.of(options.image).catch((error: unknown) => {
    throw withDefaultImage(error);
  });
  const makeInsideVolume = async () =>
    await insideVolume(engine, {
      image: await bases.of(options.image),
      ...{ owner, machine, isGvisor: gvisor !== undefined },
    });
  const volume = await makeInsideVolume();
  const seesDirectories = await probeDirectories(engine, { image, owner });
  const daemon = {
    engine,
    images,
    bases,
    insideVolume: volume,
    makeInsideVolume,
    version: info.ServerVersion,
    kernel: info.KernelVersion,
    gvisor,
    facts: { ...facts, seesDirectories },
  };
  const provider = new DockerProvider(options, daemon);
  try {
    await provider.test();
    await provider.removeUnused();
    return provider;
  } catch (error) {
    await provider.close();
    throw error;
  }
}

/** Where the image cannot be pulled, one that the daemon has serves as well. */
function withDefaultImage(error: unknown): unknown {
  if (!isSandboxError(error) || error.fix === undefined) return error;
  const { code, message, fix } = error;
  const other = 'or set SANDBOX_IMAGE to an image with Python that the daemon has (`docker image ls`)';
  return new SandboxError(code, message, { cause: error.cause ?? error, fix: `${fix}, ${other}` });
}

export class DockerProvider extends RemoteSandboxProvider {
  readonly name = 'docker';
  readonly capabilities: SandboxCapabilities;
  override readonly isolation: IsolationLevel;
  readonly shortfalls: readonly Shortfall[];
  readonly #packages = new ImagePackages((spec) => this.create(spec));
  readonly #pool: SandboxPool<ContainerSandbox>;
  readonly #builds: EngineBuilds;
  readonly #uids = new Set<number>();

  constructor(
    private readonly options: DockerOptions,
    private readonly daemon: Daemon,
  ) {
    super(options);
    const { facts, engine, images, gvisor } = daemon;
    const { hasUserNamespaces, isStronglyIsolated, hasLimits, seesDirectories } = facts;
    const { allowsRootOfMachine = false, hasNetworkInBuilds = false } = options;
    this.isolation = hasLimits ? 'full' : 'basic';
    this.shortfalls = shortfallsOf(facts, gvisor);
    // Builds run with the daemon's default runtime.
    const imageBuilds =
      hasUserNamespaces || allowsRootOfMachine || (isStronglyIsolated && options.runtime === undefined);
    this.capabilities = {
      packages: false,
      templates: Object.keys(options.templates ?? {}),
      egressProxy: true,
      hostDirectories: seesDirectories,
      rawNetwork: false,
      images: gvisor?.hasMeasuredRoot !== false,
      imageBuilds,
      networkInBuilds: imageBuilds && hasNetworkInBuilds,
      // Root on gVisor could take the streams of the process inside, and report what it likes: see `relay.c`.
      rootInImages:
        allowsRootOfMachine || (gvisor === undefined && (isStronglyIsolated || hasUserNamespaces)),
      strongIsolation: isStronglyIsolated,
      groupLimits: hasLimits,
      cpuStarvation: 'none',
    };
    this.#builds = new EngineBuilds(engine, images, { hasNetwork: hasNetworkInBuilds });
    this.#pool = new SandboxPool(
      { ...POOL_DEFAULTS, ...options.pool },
      {
        remove: (sandbox) =>
          sandbox.destroy().catch((cause) => this.onProblem('removal from the pool failed', cause)),
        onProblem: (cause) => this.onProblem('start of a sandbox for the pool failed', cause),
      },
    );
  }

  /** For the log. */
  get facts(): { docker_version: string; runtime?: string; runsc_version?: string } {
    const { runtime } = this.options;
    const { version, gvisor } = this.daemon;
    return {
      docker_version: version,
      ...(runtime !== undefined && { runtime }),
      ...(gvisor?.version !== undefined && { runsc_version: gvisor.version }),
    };
  }

  /** Looks at a sandbox from within. Throws `unavailable` where the daemon cannot run sandboxes. */
  async test(): Promise<void> {
    const spec = resolveSpec({
      limits: { cpu: 1, memoryBytes: 64 * MIB, pids: 32, workspaceBytes: MIB, wallMs: 30_000 },
      labels: { runId: 'self-test', attemptId: 'self-test' },
    });
    const sandbox = await this.allocate(spec, undefined);
    const session = await this.open(spec, sandbox, undefined);
    this.capabilities.cpuStarvation = sandbox.cpuStarvation;
    try {
      const { gvisor, kernel = '' } = this.daemon;
      const kernelOfHost = gvisor && kernel;
      const problems = await isolationProblems(session, { level: this.isolation, kernelOfHost });
      if (problems.length === 0) return;
      const subject = gvisor ? describeRuntime(gvisor) : 'the Docker daemon';
      const fix = gvisor ? fixOfRuntime(gvisor) : 'see `docker info` and the settings of the daemon';
      const message = `sandboxes are not isolated by ${subject}: ${problems.join('; ')}`;
      throw new SandboxError('unavailable', message, { fix });
    } finally {
      await session.destroy();
    }
  }

  async reap(): Promise<ReapReport> {
    const live = new Set(this.lifecycle.live.keys());
    const { engine } = this.daemon;
    const report = await sweep(engine, { owner: this.options.owner, live });
    await removeUnusedDirectories(engine);
    const { insideVolume: volume, makeInsideVolume } = this.daemon;
    await keepInsideVolume(engine, volume, makeInsideVolume);
    return report;
  }

  /** Images beyond their size, and programs of older versions. */
  async removeUnused(): Promise<void> {
    const { engine, images, insideVolume: volume } = this.daemon;
    await images.evict();
    await removeOldVolumes(engine, volume).catch((cause: unknown) =>
      this.onProblem('removal of unused volumes failed', cause),
    );
  }

  /** For `doctor`. */
  get imageRights(): ImageRight[] {
    const { capabilities, options, daemon } = this;
    if (!capabilities.images) return [];
    const { hasUserNamespaces } = daemon.facts;
    const isGvisor = daemon.gvisor !== undefined;
    const isRuntimeChosen = options.runtime !== undefined;
    return imageRights({ capabilities, hasUserNamespaces, isGvisor, isRuntimeChosen });
  }

  /** Read from a sandbox of each image, once; where none starts soon, nothing is known yet. */
  installedPackages(template?: string): Promise<ReadonlySet<string>> {
    const image = template === undefined ? 'the default image' : `template ${template}`;
    return this.#packages.soon(template, (cause) =>
      this.onProblem(`package query of ${image} failed`, cause),
    );
  }

  async prepareImage(reference: string, options?: PrepareOptions): Promise<PreparedImage> {
    const { details: _, ...prepared } = await this.daemon.images.prepare(reference, options);
    return prepared;
  }

  async buildImage(build: ImageBuild, options?: PrepareOptions): Promise<string> {
    if (!this.capabilities.imageBuilds) {
      const fix = 'give the daemon user namespaces (userns-remap), or set SANDBOX_ROOT_IN_IMAGES=true';
      throw new SandboxError(
        'unsupported',
        'the root of builds would be that of the machine of the Docker daemon',
        {
          capability: 'imageBuilds',
          fix,
        },
      );
    }
    return await this.#builds.build(build, options);
  }

  override async close(): Promise<void> {
    await this.#builds.close();
    await Promise.all([super.close(), this.#pool.close()]);
    await removeUnusedDirectories(this.daemon.engine).catch((cause) =>
      this.onProblem('removal of unused volumes failed', cause),
    );
  }

  protected override async allocate(
    spec: ResolvedSpec,
    signal: AbortSignal | undefined,
  ): Promise<ContainerSandbox> {
    refuseUnsupported({ ...spec, packages: [] }, this.capabilities);
    await this.#refuseAbsent(spec, signal);
    const { image, plan } = await this.#plan(spec, signal);
    this.lifecycle.checkOpen(signal);
    const kind = createHash('sha256').update(JSON.stringify(plan)).digest('hex');
    const waiting = await this.#pool.take(kind, () => this.#started(plan, image), signal);
    return waiting ?? this.#sandbox(plan, { image, labels: spec.labels, leaseMs: firstInsideLeaseMs(spec) });
  }

  async #plan(
    spec: ResolvedSpec,
    signal: AbortSignal | undefined,
  ): Promise<{ plan: Plan; image: PreparedImage | undefined }> {
    const { options, daemon } = this;
    const { limits, workspaceRoots, stagedRoots, extraRoots, directories } = spec;
    const { cpu, memoryBytes, pids, workspaceBytes } = limits;
    const { tmpBytes, homeBytes, sharedMemoryBytes, extraBytes } = options;
    const common = {
      spec: {
        limits: { cpu, memoryBytes, pids, workspaceBytes },
        ...{ workspaceRoots, stagedRoots, extraRoots, directories },
      },
      sizes: { tmpBytes, homeBytes, sharedMemoryBytes, extraBytes },
      insideVolume: daemon.insideVolume,
      runtime: options.runtime,
      isGvisor: daemon.gvisor !== undefined,
    };
    if (spec.image === undefined) {
      const name =
        spec.template === undefined ? options.image : (options.templates?.[spec.template] ?? options.image);
      const image = await unlessAborted(signal, daemon.bases.of(name));
      return { plan: { ...common, image, isUidOwn: true }, image: undefined };
    }
    const prepared = await daemon.images.prepare(spec.image.reference, signal && { signal });
    const { details, ...image } = prepared;
    const volumes = Object.keys(details.Config?.Volumes ?? {});
    const root = { runAsRoot: spec.image.runAsRoot, volumes };
    return { plan: { ...common, image: details.Id, root, isUidOwn: daemon.facts.hasUserNamespaces }, image };
  }

  #sandbox(
    plan: Plan,
    {
      image,
      labels,
      leaseMs,
    }: { image: PreparedImage | undefined; labels?: ResolvedSpec['labels']; leaseMs: number },
  ): ContainerSandbox {
    const { engine } = this.daemon;
    const uid = this.#takeUid();
    const names = { owner: this.options.owner, labels, now: engine.now() };
    const facts = { names, leaseMs, image, onRemoved: () => this.#uids.delete(uid) };
    const id = `sb-${randomBytes(8).toString('hex')}`;
    return new ContainerSandbox(id, { ...plan, uid }, facts, engine, this.onProblem);
  }

  /** One that responds, and that no spec has used. */
  async #started(plan: Plan, image: PreparedImage | undefined): Promise<ContainerSandbox> {
    const sandbox = this.#sandbox(plan, { image, leaseMs: POOL_LEASE_MS });
    try {
      const { inside } = await sandbox.start();
      await inside.ready;
      return sandbox;
    } catch (error) {
      await sandbox.destroy();
      throw error;
    }
  }

  /** No other live sandbox of this process has it; those of other executors seldom do. */
  #takeUid(): number {
    if (this.daemon.facts.hasUserNamespaces) return UID_OF_NAMESPACE;
    const { first, last } = UIDS;
    let uid = randomInt(first, last + 1);
    for (let tries = first; tries <= last && this.#uids.has(uid); tries++)
      uid = uid === last ? first : uid + 1;
    this.#uids.add(uid);
    return uid;
  }

  async #refuseAbsent({ packages, template }: ResolvedSpec, signal: AbortSignal | undefined): Promise<void> {
    if (packages.length === 0) return;
    const installed = await unlessAborted(signal, this.#packages.of(template));
    const absent = packages.filter((name) => !installed.has(name));
    if (absent.length > 0) throw packagesUnsupported(`the image lacks the packages ${absent.join(', ')}`);
  }
}

type Plan = Omit<ContainerPlan, 'uid'>;
