import { randomBytes } from 'node:crypto';
import { refuseUnsupported } from '../capabilities.js';
import type { ReapReport, SandboxCapabilities, SandboxProvider, SandboxSession } from '../contract.js';
import { InsideClient } from '../inside/client.js';
import { InsideSession } from '../inside/session.js';
import { type ResolvedSpec, resolveSpec } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import type { SandboxSpec } from '../spec.js';
import { BASE_ENV, bwrapDepth, diskBytes, launcherArguments, type SandboxPlan } from './arguments.js';
import { type BaseImage, baseImage } from './base-image.js';
import { Cgroup } from './cgroup.js';
import { type Host, prepareHost } from './host.js';
import { LiveRecords } from './live-records.js';
import { deathOf, describeEnd, LocalSandbox, startError } from './local-sandbox.js';
import { type BubblewrapOptions, DISK_DEFAULTS } from './options.js';
import { reap } from './reaper.js';
import { SandboxProcess } from './sandbox-process.js';
import { type SelfTest, selfTest } from './self-test.js';

const REAP_EVERY_MS = 60_000;

/** Sandboxes on this machine, tested by opening one. Throws `unavailable`, with what to do, when none can run here. */
export async function createBubblewrapProvider(options: BubblewrapOptions = {}): Promise<BubblewrapProvider> {
  const host = await prepareHost(options);
  const provider = new BubblewrapProvider(host, await LiveRecords.open(host.stateDir), options);
  try {
    await provider.reap();
    provider.selfTest = await selfTest(provider, host.level);
    return provider;
  } catch (error) {
    await provider.close();
    throw error;
  }
}

export class BubblewrapProvider implements SandboxProvider {
  readonly name = 'bubblewrap';
  readonly capabilities: SandboxCapabilities;
  /** Taken when the provider was created. */
  selfTest: SelfTest | undefined;
  readonly #live = new Set<SandboxSession>();
  readonly #images = new Map<string, BaseImage>();
  readonly #reaper: NodeJS.Timeout;
  #isClosed = false;

  constructor(
    readonly host: Host,
    private readonly records: LiveRecords,
    private readonly options: BubblewrapOptions,
  ) {
    this.capabilities = {
      packages: false,
      templates: Object.keys(options.templates ?? {}),
      egressProxy: false,
      rawNetwork: false,
      strongIsolation: false,
      groupLimits: host.level === 'full',
    };
    const sweep = () => void this.reap().catch((error) => options.onProblem?.('the reaper failed', error));
    this.#reaper = setInterval(sweep, options.reapEveryMs ?? REAP_EVERY_MS).unref();
  }

  async create(spec: SandboxSpec, options: { signal?: AbortSignal } = {}): Promise<SandboxSession> {
    if (this.#isClosed) throw new SandboxError('unavailable', 'the sandbox provider is closed');
    options.signal?.throwIfAborted();
    const resolved = resolveSpec(spec);
    refuseUnsupported(resolved, this.capabilities);
    const id = `sb-${randomBytes(8).toString('hex')}`;
    const record = this.records.claim(id, resolved.labels, this.host.hasOwnUids);
    const sandbox = new LocalSandbox(record, this.records);
    const abort = () => sandbox.kill();
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      const session = await this.#open(id, resolved, { sandbox, uid: record.uid });
      options.signal?.throwIfAborted();
      return session;
    } catch (error) {
      await sandbox.destroy();
      options.signal?.throwIfAborted();
      throw error;
    } finally {
      options.signal?.removeEventListener('abort', abort);
    }
  }

  reap(): Promise<ReapReport> {
    return reap({ records: this.records, ...(this.host.layout ? { layout: this.host.layout } : {}) });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#reaper);
    await Promise.all([...this.#live].map((session) => session.destroy()));
  }

  async #open(
    id: string,
    spec: ResolvedSpec,
    { sandbox, uid }: { sandbox: LocalSandbox; uid: number | undefined },
  ): Promise<SandboxSession> {
    const plan = this.#plan(spec, uid);
    if (this.host.layout) {
      const limits = { ...spec.limits, memoryBytes: spec.limits.memoryBytes + diskBytes(plan) };
      const cgroup = Cgroup.create(this.host.layout, id, limits);
      sandbox.hold({ cgroup });
      plan.cgroupFiles = cgroup.joinFiles;
    }
    const child = new SandboxProcess(
      [this.host.tools.launcher, ...launcherArguments(plan)],
      bwrapDepth(plan),
    );
    sandbox.hold({ process: child });
    const client = new InsideClient(child);
    let session: InsideSession | undefined;
    void child.ended.then((end) => {
      if (!session) return client.close(startError(end));
      this.#live.delete(session);
      session.onEnded(deathOf(end), describeEnd(end));
    });
    await client.ready;
    session = new InsideSession(id, this.name, client, sandbox, { ...spec, baseEnv: BASE_ENV });
    this.#live.add(session);
    return session;
  }

  #plan(spec: ResolvedSpec, uid: number | undefined): SandboxPlan {
    const { host, options } = this;
    return {
      spec,
      base: this.#image(spec.template),
      sizes: {
        tmpBytes: options.tmpBytes ?? DISK_DEFAULTS.tmpBytes,
        homeBytes: options.homeBytes ?? DISK_DEFAULTS.homeBytes,
        sharedMemoryBytes: options.sharedMemoryBytes ?? DISK_DEFAULTS.sharedMemoryBytes,
        extraBytes: options.extraBytes ?? DISK_DEFAULTS.extraBytes,
      },
      bwrap: host.bwrap,
      insideTool: host.tools.inside,
      diskDirectory: host.diskDirectory,
      seccompFile: host.seccompFile,
      ...(uid === undefined ? {} : { uid }),
      cgroupFiles: [],
      isPidLimitOwn: host.hasOwnUids || host.countsPidsPerNamespace,
    };
  }

  #image(template: string | undefined): BaseImage {
    const root = template === undefined ? '/' : (this.options.templates?.[template] ?? '/');
    const image = this.#images.get(root) ?? baseImage(root, this.host.stateDir);
    this.#images.set(root, image);
    return image;
  }
}
