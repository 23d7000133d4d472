import { BASE_ENV } from '../bubblewrap/arguments.js';
import { refuseUnsupported } from '../capabilities.js';
import type { ReapReport, SandboxCapabilities, SandboxProvider, SandboxSession } from '../contract.js';
import { firstInsideLeaseMs } from '../inside/lifetime.js';
import { bringProxy } from '../inside/proxy.js';
import { InsideSession } from '../inside/session.js';
import { type ResolvedSpec, resolveSpec } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import type { SandboxSpec } from '../spec.js';
import { E2bApi } from './api.js';
import { CloudSandbox, LEASE_SLACK_MS } from './cloud-sandbox.js';
import type { E2bOptions } from './options.js';
import { PackageTemplates } from './package-templates.js';

const REAP_EVERY_MS = 60_000;
const DEFAULT_TEMPLATE = 'base';
/** Places an image brings; a sandbox cannot have its own there. */
const TAKEN = /^\/(?:usr|bin|sbin|lib|lib64|etc|proc|dev|sys|agentclash)?(?:\/|$)/;

/** Sandboxes as virtual machines of E2B. Throws `unavailable` when the service cannot be used. */
export async function createE2bProvider(options: E2bOptions): Promise<E2bProvider> {
  const provider = new E2bProvider(options);
  try {
    await provider.reap();
    return provider;
  } catch (error) {
    await provider.close();
    throw error;
  }
}

export class E2bProvider implements SandboxProvider {
  readonly name = 'e2b';
  readonly capabilities: SandboxCapabilities;
  readonly isolation = 'full';
  readonly #api: E2bApi;
  readonly #templates: PackageTemplates;
  readonly #live = new Map<string, SandboxSession | undefined>();
  readonly #creations = new Set<Promise<SandboxSession>>();
  readonly #reaper: NodeJS.Timeout;
  #isClosed = false;

  constructor(private readonly options: E2bOptions) {
    this.#api = new E2bApi(options);
    this.#templates = new PackageTemplates(this.#api, options.lookEveryMs);
    this.capabilities = {
      packages: true,
      templates: Object.keys(options.templates ?? {}),
      egressProxy: true,
      rawNetwork: false,
      strongIsolation: true,
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

  /** A sandbox that is not extended ends by itself; this is for those that an earlier process of this owner left. */
  async reap(): Promise<ReapReport> {
    // What is being created is not known by its id yet.
    if (this.#creations.size > 0) return { removed: [] };
    const lost = (await this.#api.list())
      .map(({ sandboxID }) => sandboxID)
      .filter((id) => !this.#live.has(id));
    await Promise.all(lost.map((id) => this.#api.remove(id)));
    return { removed: lost };
  }

  /** What an image holds is its maker's to know. */
  async installedPackages(): Promise<ReadonlySet<string>> {
    return new Set();
  }

  installsPackages(): boolean {
    return this.capabilities.packages;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#reaper);
    this.#templates.close();
    await Promise.allSettled(this.#creations);
    await Promise.all([...this.#live.values()].map((session) => session?.destroy()));
  }

  async #create(spec: SandboxSpec, { signal }: { signal?: AbortSignal }): Promise<SandboxSession> {
    this.#checkOpen(signal);
    const resolved = resolveSpec(spec);
    refuseUnsupported(resolved, this.capabilities);
    const refused = resolved.workspaceRoots.find((root) => TAKEN.test(root));
    if (refused !== undefined) {
      throw new SandboxError('unsupported', `${refused} cannot be writable here`, {
        capability: 'writable_root',
      });
    }
    const template = await this.#templates.with(this.#templateOf(resolved), resolved.packages, signal);
    this.#checkOpen(signal);
    const created = await this.#api.create(template, resolved.leaseMs + LEASE_SLACK_MS, signal);
    const sandbox = new CloudSandbox(created, this.#api, (message, cause) => this.#problem(message, cause));
    this.#live.set(sandbox.id, undefined);
    try {
      const session = await this.#connect(resolved, sandbox);
      this.#checkOpen(signal);
      return session;
    } catch (error) {
      await sandbox
        .destroy()
        .catch((cause) => this.#problem(`sandbox ${sandbox.id} is left to its timeout`, cause));
      this.#live.delete(sandbox.id);
      this.#checkOpen(signal);
      if (error instanceof SandboxError) throw error;
      throw new SandboxError('unavailable', 'the sandbox did not start', { cause: error });
    }
  }

  #templateOf({ template }: ResolvedSpec): string {
    const { defaultTemplate = DEFAULT_TEMPLATE, templates = {} } = this.options;
    return template === undefined ? defaultTemplate : (templates[template] ?? defaultTemplate);
  }

  async #connect(spec: ResolvedSpec, sandbox: CloudSandbox): Promise<SandboxSession> {
    const { insideTool } = this.options;
    const { inside, link } = await sandbox.connect(spec, { insideTool, leaseMs: firstInsideLeaseMs(spec) });
    const session = new InsideSession(sandbox.id, this.name, inside, sandbox, { ...spec, baseEnv: BASE_ENV });
    this.#live.set(sandbox.id, session);
    void link.ended.then(async (end) => {
      session.onEnded(sandbox.deathOf(end), end.detail);
      await session
        .destroy()
        .catch((error) => this.#problem(`sandbox ${sandbox.id} is left to its timeout`, error));
      this.#live.delete(sandbox.id);
    });
    await inside.ready;
    await bringProxy(inside, spec.network);
    return session;
  }

  #checkOpen(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new SandboxError('unavailable', 'the sandbox provider is closed');
  }

  #problem(message: string, cause?: unknown): void {
    this.options.onProblem?.(message, cause);
  }
}
