import { randomBytes } from 'node:crypto';
import { refuseUnsupported } from '../capabilities.js';
import type {
  IsolationLevel,
  ReapReport,
  SandboxCapabilities,
  SandboxProvider,
  SandboxSession,
} from '../contract.js';
import type { ImageBuild, PreparedImage, PrepareOptions } from '../image.js';
import { InsideSession } from '../inside/session.js';
import { type LayerOptions, PackageSource } from '../packages/package-layers.js';
import { ProviderLifecycle } from '../provider-lifecycle.js';
import { type ResolvedSpec, resolveSpec } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import type { SandboxSpec } from '../spec.js';
import { interpretersIn } from './base-image.js';
import { removeCgroups } from './cgroup-layout.js';
import { type Host, prepareHost } from './host.js';
import { findBuilder, ImageBuilds } from './image-builds.js';
import { baseEnvironment, checkLayers, type UnpackedImage } from './image-roots.js';
import { sweepSockets } from './launcher-client.js';
import { recordProcess } from './live-processes.js';
import { LiveRecords } from './live-records.js';
import { deathOf, describeEnd, LocalSandbox, openError, startError } from './local-sandbox.js';
import type { BubblewrapOptions } from './options.js';
import { reap } from './reaper.js';
import { SandboxFactory } from './sandbox-factory.js';
import type { ProcessEnd } from './sandbox-process.js';
import { type SelfTest, selfTest } from './self-test.js';

/** Sandboxes on this machine, tested by opening one. Throws `unavailable`, with what to do, when none can run here. */
export async function createBubblewrapProvider(options: BubblewrapOptions = {}): Promise<BubblewrapProvider> {
  const host = await prepareHost(options);
  const records = await LiveRecords.open(host.stateDir);
  const provider = new BubblewrapProvider(host, records, options, await recordProcess(host.stateDir));
  try {
    await provider.reap();
    provider.selfTest = await selfTest(provider, host.level);
    return provider;
  } catch (error) {
    await provider.close();
    throw error;
  }
}

/** The directories that a sandbox has in place of the default image. */
interface Roots {
  layer: string | undefined;
  image: UnpackedImage | undefined;
}

export class BubblewrapProvider implements SandboxProvider {
  readonly name: string;
  readonly capabilities: SandboxCapabilities;
  readonly isolation: IsolationLevel;
  /** Taken when the provider was created. */
  selfTest: SelfTest | undefined;
  readonly #lifecycle: ProviderLifecycle;
  readonly #factory: SandboxFactory;
  readonly #packages: PackageSource;
  readonly #builds: ImageBuilds | undefined;

  constructor(
    readonly host: Host,
    private readonly records: LiveRecords,
    private readonly options: BubblewrapOptions,
    private readonly removeProcessRecord: () => void,
  ) {
    this.#factory = new SandboxFactory(host, options);
    this.#packages = new PackageSource(layerOptions(host, options));
    this.#builds = openBuilds(host, records, options);
    this.isolation = host.level;
    this.name = host.runsc === undefined ? 'bubblewrap' : 'gvisor';
    this.capabilities = {
      packages: this.#packages.canInstallIn('/'),
      templates: Object.keys(host.templates),
      egressProxy: true,
      hostDirectories: true,
      rawNetwork: false,
      images: host.canMountImages && options.images !== undefined,
      imageBuilds: this.#builds !== undefined,
      networkInBuilds: this.#builds !== undefined && options.builds?.network !== undefined,
      rootInImages: host.canMountImages && options.images !== undefined,
      strongIsolation: host.runsc !== undefined,
      groupLimits: host.level === 'full',
      cpuStarvation: host.cpuStarvation,
    };
    this.#lifecycle = new ProviderLifecycle(() => this.reap(), options);
  }

  create(spec: SandboxSpec, options: { signal?: AbortSignal } = {}): Promise<SandboxSession> {
    return this.#lifecycle.track(this.#create(spec, options.signal));
  }

  async reap(): Promise<ReapReport> {
    await this.#packages.keepInUse();
    await sweepSockets(this.host.socketDirectory);
    return reap({
      stateDir: this.host.stateDir,
      records: this.records,
      buildDirectory: this.host.buildDirectory,
      ...(this.host.layout ? { layout: this.host.layout } : {}),
    });
  }

  async close(): Promise<void> {
    this.#packages.close();
    await this.#builds?.close();
    await this.#lifecycle.close();
    await this.#factory.close();
    this.options.images?.close?.();
    if (this.host.layout) removeCgroups(this.host.layout);
    this.removeProcessRecord();
  }

  async #create(spec: SandboxSpec, signal: AbortSignal | undefined): Promise<SandboxSession> {
    this.#lifecycle.checkOpen(signal);
    const resolved = resolveSpec(spec);
    refuseUnsupported({ ...resolved, packages: [] }, this.capabilities);
    const { packages, template } = resolved;
    const layer = await this.#packages.layerFor(this.#factory.rootOf(template), packages, signal);
    this.#lifecycle.checkOpen(signal);
    const image = await this.#imageOf(resolved, signal);
    try {
      return await this.#start(resolved, { layer, image }, signal);
    } catch (error) {
      image?.release();
      throw error;
    }
  }

  async #imageOf(
    { image }: ResolvedSpec,
    signal: AbortSignal | undefined,
  ): Promise<UnpackedImage | undefined> {
    if (image === undefined) return undefined;
    const unpacked = await this.options.images?.prepare(image.reference, signal && { signal });
    if (unpacked !== undefined) checkLayers(unpacked);
    return unpacked;
  }

  async #start(resolved: ResolvedSpec, on: Roots, signal: AbortSignal | undefined): Promise<SandboxSession> {
    this.#lifecycle.checkOpen(signal);
    const sandbox = this.#claim(resolved);
    const abort = () => sandbox.kill();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const session = await this.#open(resolved, sandbox, on);
      this.#lifecycle.checkOpen(signal);
      return session;
    } catch (error) {
      await sandbox.destroy();
      this.#lifecycle.checkOpen(signal);
      throw openError(error);
    } finally {
      signal?.removeEventListener('abort', abort);
    }
  }

  installedPackages(template?: string): Promise<ReadonlySet<string>> {
    return this.#packages.installedIn(this.#factory.rootOf(template));
  }

  installsPackages(template?: string): boolean {
    return this.#packages.canInstallIn(this.#factory.rootOf(template));
  }

  interpreters(template?: string): readonly string[] {
    return interpretersIn(this.#factory.rootOf(template));
  }

  /** The layers stay until the store needs their space. */
  async prepareImage(reference: string, options?: PrepareOptions): Promise<PreparedImage> {
    const { images } = this.options;
    if (images === undefined || !this.host.canMountImages) {
      throw new SandboxError('unsupported', 'this sandbox provider has no images', { capability: 'images' });
    }
    const { layers: _, release, ...image } = await images.prepare(reference, options);
    release();
    return image;
  }

  async buildImage(build: ImageBuild, options?: PrepareOptions): Promise<string> {
    this.#lifecycle.checkOpen(options?.signal);
    if (this.#builds === undefined) {
      const message =
        'this machine builds no images: buildah is not installed, or images or loop devices are missing';
      const fix = 'install buildah (apt-get install -y buildah), or name an image that is built already';
      throw new SandboxError('unsupported', message, { capability: 'imageBuilds', fix });
    }
    return await this.#builds.build(build, options);
  }

  #claim({ labels, image }: ResolvedSpec): LocalSandbox {
    try {
      const uids =
        image !== undefined || this.host.runsc !== undefined
          ? 'range'
          : this.host.hasOwnUids
            ? 'one'
            : 'none';
      const id = `sb-${randomBytes(8).toString('hex')}`;
      return new LocalSandbox(this.records.claim(id, labels, uids), this.records);
    } catch (error) {
      throw openError(error);
    }
  }

  async #open(spec: ResolvedSpec, sandbox: LocalSandbox, on: Roots): Promise<SandboxSession> {
    const { layer, image } = on;
    const { inside, ready, ended } = await this.#factory.open(spec, sandbox, on);
    ready.catch(() => {});
    if (layer !== undefined) this.#packages.lend(layer, ended);
    const session = new InsideSession(sandbox.id, this.name, inside, sandbox, {
      ...spec,
      baseEnv: baseEnvironment(spec, image),
    });
    let isUp = false;
    this.#lifecycle.live.set(session.id, session);
    void ended.then((end) => {
      image?.release();
      if (!isUp) inside.close(startError(end, image?.reference));
      // With gVisor all processes of the sandbox are in its cgroup, the kernel of the sandbox included.
      const oomKills = this.host.runsc === undefined ? 0 : sandbox.oomKills();
      this.#onEnded(session, end, oomKills);
    });
    await ready;
    isUp = true;
    return session;
  }

  /** Everything is cleaned up even when `destroy` is never called. */
  #onEnded(session: InsideSession, end: ProcessEnd, oomKills: number | undefined): void {
    session.onEnded(deathOf(end, oomKills), describeEnd(end));
    const forget = () => this.#lifecycle.live.delete(session.id);
    session.destroy().then(forget, (error) => {
      forget();
      this.options.onProblem?.(`cleanup of sandbox ${session.id} failed`, error);
    });
  }
}

function layerOptions(
  { packageDirectory: directory, bwrap }: Host,
  { packageBytesMax: bytesMax }: BubblewrapOptions,
): LayerOptions | undefined {
  return directory === undefined ? undefined : { directory, bwrap, bytesMax };
}

function openBuilds(
  host: Host,
  records: LiveRecords,
  { images, builds = {} }: BubblewrapOptions,
): ImageBuilds | undefined {
  const buildah = findBuilder(host);
  if (buildah === undefined || images?.built === undefined) return undefined;
  const { network, limits } = builds;
  return new ImageBuilds(host, records, { images: images.built, buildah, network, limits });
}
