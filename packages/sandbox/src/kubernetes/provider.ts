import { randomBytes, randomInt } from 'node:crypto';
import { BASE_ENV } from '../bubblewrap/arguments.js';
import { refuseUnsupported } from '../capabilities.js';
import type { ReapReport, SandboxCapabilities, SandboxProvider, SandboxSession } from '../contract.js';
import { firstInsideLeaseMs } from '../inside/lifetime.js';
import { bringProxy } from '../inside/proxy.js';
import { InsideSession } from '../inside/session.js';
import { refusal } from '../packages/apt-errors.js';
import { ImagePackages } from '../packages/image-packages.js';
import { unless } from '../packages/shared-work.js';
import { type ResolvedSpec, resolveSpec } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import type { SandboxSpec } from '../spec.js';
import { KubernetesApi } from './api.js';
import { podAccess } from './config.js';
import { SANDBOX_POLICY } from './network-policies.js';
import type { KubernetesOptions } from './options.js';
import { podManifest } from './pod.js';
import { PodSandbox } from './pod-sandbox.js';
import { startPod } from './pods.js';
import { type Enforcement, probePolicies } from './policy-probe.js';
import { sweep } from './sweeper.js';

const REAP_EVERY_MS = 60_000;
const START_MS = 120_000;

/** What a cluster's API server is known by inside it, and how long the probe waits. */
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
    await sweep({ api, owner: options.owner, live: new Set() });
    await api.putNetworkPolicy(SANDBOX_POLICY);
    const { hostname, port } = new URL(access.url);
    const target = facts.probeTarget ?? { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 443) };
    const settle = facts.settleMs === undefined ? {} : { settleMs: facts.settleMs };
    const enforcement = await probePolicies({ api, options, target, ...settle });
    return new KubernetesProvider(api, options, enforcement);
  } catch (error) {
    await api.close();
    throw error;
  }
}

export class KubernetesProvider implements SandboxProvider {
  readonly name = 'kubernetes';
  readonly capabilities: SandboxCapabilities;
  readonly isolation = 'full';
  readonly #live = new Map<string, SandboxSession | undefined>();
  readonly #creations = new Set<Promise<SandboxSession>>();
  readonly #images = new ImagePackages((spec) => this.create(spec));
  readonly #reaper: NodeJS.Timeout;
  #isClosed = false;

  constructor(
    private readonly api: KubernetesApi,
    private readonly options: KubernetesOptions,
    /** Whether the cluster keeps pods off the network; where it is not proven, no pack gets one. */
    readonly enforcement: Enforcement,
  ) {
    this.capabilities = {
      packages: false,
      templates: Object.keys(options.templates ?? {}),
      egressProxy: enforcement === 'enforced',
      rawNetwork: false,
      strongIsolation: options.isStronglyIsolated ?? false,
      groupLimits: true,
      cpuStarvation: 'none',
    };
    const run = () => void this.reap().catch((error) => this.#problem('the sweeper failed', error));
    this.#reaper = setInterval(run, options.reapEveryMs ?? REAP_EVERY_MS).unref();
  }

  create(spec: SandboxSpec, options: { signal?: AbortSignal } = {}): Promise<SandboxSession> {
    const creation = this.#create(spec, options);
    this.#creations.add(creation);
    const forget = () => this.#creations.delete(creation);
    creation.then(forget, forget);
    return creation;
  }

  reap(): Promise<ReapReport> {
    return sweep({ api: this.api, owner: this.options.owner, live: new Set(this.#live.keys()) });
  }

  /** Read from a pod of each image, once; where none starts soon, nothing is known yet. */
  installedPackages(template?: string): Promise<ReadonlySet<string>> {
    const image = template === undefined ? 'the default image' : `template ${template}`;
    return this.#images.soon(template, (cause) =>
      this.#problem(`the packages of ${image} are not known yet`, cause),
    );
  }

  installsPackages(): boolean {
    return this.capabilities.packages;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#reaper);
    await Promise.allSettled(this.#creations);
    await Promise.all([...this.#live.values()].map((session) => session?.destroy()));
    await this.api.close();
  }

  async #create(spec: SandboxSpec, { signal }: { signal?: AbortSignal }): Promise<SandboxSession> {
    this.#checkOpen(signal);
    const resolved = resolveSpec(spec);
    refuseUnsupported({ ...resolved, packages: [] }, this.capabilities);
    await this.#refuseAbsent(resolved, signal);
    this.#checkOpen(signal);
    const name = `sb-${randomBytes(8).toString('hex')}`;
    const uid = this.#pickUid();
    const manifest = podManifest({ name, spec: resolved, options: this.options, now: this.api.now(), uid });
    const sandbox = new PodSandbox(name, this.api, (message, cause) => this.#problem(message, cause));
    this.#live.set(name, undefined);
    try {
      const timeout = AbortSignal.timeout(this.options.startTimeoutMs ?? START_MS);
      await startPod(this.api, manifest, signal ? AbortSignal.any([signal, timeout]) : timeout);
      const session = await this.#connect(resolved, sandbox);
      this.#checkOpen(signal);
      return session;
    } catch (error) {
      await sandbox.destroy().catch((cause) => this.#problem(`pod ${name} is left to the sweeper`, cause));
      this.#live.delete(name);
      this.#checkOpen(signal);
      if (error instanceof SandboxError) throw error;
      throw new SandboxError('unavailable', 'the sandbox did not start', { cause: error });
    }
  }

  async #refuseAbsent({ packages, template }: ResolvedSpec, signal: AbortSignal | undefined): Promise<void> {
    if (packages.length === 0) return;
    const installed = await unless(signal, this.#images.of(template));
    const absent = packages.filter((name) => !installed.has(name));
    if (absent.length > 0) throw refusal(`the image lacks the packages ${absent.join(', ')}`);
  }

  async #connect(spec: ResolvedSpec, sandbox: PodSandbox): Promise<SandboxSession> {
    const isCounted = this.options.hasUserNamespaces || this.options.uids !== undefined;
    const pids = isCounted ? Math.floor(spec.limits.pids) : 0;
    const { inside, link } = await sandbox.connect({ pids, leaseMs: firstInsideLeaseMs(spec) });
    const session = new InsideSession(sandbox.id, this.name, inside, sandbox, { ...spec, baseEnv: BASE_ENV });
    this.#live.set(sandbox.id, session);
    void link.ended.then(async (end) => {
      const known = sandbox.knownDeath(end);
      session.onEnded(known ?? (await sandbox.findDeath()), end.detail);
      await session
        .destroy()
        .catch((error) => this.#problem(`pod ${sandbox.id} is left to the sweeper`, error));
      this.#live.delete(sandbox.id);
    });
    await inside.ready;
    await bringProxy(inside, spec.network);
    return session;
  }

  /** At random: executors do not know of each other's, and a large range makes it unlikely that two on a node are the same. */
  #pickUid(): number | undefined {
    const { uids, hasUserNamespaces } = this.options;
    // In a user namespace ids are each pod's own anyway, and there are only 65,536 of them.
    if (uids === undefined || hasUserNamespaces) return undefined;
    return randomInt(uids.first, uids.last + 1);
  }

  #checkOpen(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new SandboxError('unavailable', 'the sandbox provider is closed');
  }

  #problem(message: string, cause?: unknown): void {
    this.options.onProblem?.(message, cause);
  }
}
