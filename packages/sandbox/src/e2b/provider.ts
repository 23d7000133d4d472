import { refuseUnsupported } from '../capabilities.js';
import type { ReapReport, SandboxCapabilities } from '../contract.js';
import { RemoteSandboxProvider } from '../remote/remote-provider.js';
import { LEASE_SLACK_MS } from '../remote/remote-sandbox.js';
import type { ResolvedSpec } from '../resolved-spec.js';
import { SandboxError } from '../sandbox-error.js';
import { E2bApi, type E2bOptions } from './api.js';
import { CloudSandbox } from './cloud-sandbox.js';
import { PackageTemplates } from './package-templates.js';

const DEFAULT_TEMPLATE = 'base';
/** Directories of the image: a workspace root cannot be there. */
const READ_ONLY = /^\/(?:usr|bin|sbin|lib|lib64|etc|proc|dev|sys|agentclash)?(?:\/|$)/;

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

export class E2bProvider extends RemoteSandboxProvider {
  readonly name = 'e2b';
  readonly capabilities: SandboxCapabilities;
  readonly #api: E2bApi;
  readonly #templates: PackageTemplates;

  constructor(private readonly options: E2bOptions) {
    super(options);
    this.#api = new E2bApi(options);
    this.#templates = new PackageTemplates(this.#api, options.pollIntervalMs);
    this.capabilities = {
      packages: true,
      templates: Object.keys(options.templates ?? {}),
      egressProxy: true,
      hostDirectories: false,
      rawNetwork: false,
      images: false,
      imageBuilds: false,
      rootInImages: false,
      strongIsolation: true,
      groupLimits: true,
      cpuStarvation: 'none',
    };
  }

  /** Cleanup of the sandboxes that an earlier process of this owner left. One that is not extended ends by itself. */
  async reap(): Promise<ReapReport> {
    // The ids of sandboxes that are being created are not known yet.
    if (this.lifecycle.isCreating) return { removed: [] };
    const lost = (await this.#api.list())
      .map(({ sandboxID }) => sandboxID)
      .filter((id) => !this.lifecycle.live.has(id));
    await Promise.all(lost.map((id) => this.#api.remove(id)));
    return { removed: lost };
  }

  /** The service does not report the packages of a template. */
  async installedPackages(): Promise<ReadonlySet<string>> {
    return new Set();
  }

  override close(): Promise<void> {
    this.#templates.close();
    return super.close();
  }

  protected override async allocate(spec: ResolvedSpec, signal: AbortSignal | undefined) {
    refuseUnsupported(spec, this.capabilities);
    const refused = spec.workspaceRoots.find((root) => READ_ONLY.test(root));
    if (refused !== undefined) {
      throw new SandboxError('unsupported', `${refused} cannot be writable here`, {
        capability: 'writable_root',
      });
    }
    const template = await this.#templates.with(this.#templateOf(spec), spec.packages, signal);
    this.lifecycle.checkOpen(signal);
    const created = await this.#api.create(template, spec.leaseMs + LEASE_SLACK_MS, signal);
    return new CloudSandbox(created, this.#api, this.options.insideTool, this.onProblem);
  }

  #templateOf({ template }: ResolvedSpec): string {
    const { defaultTemplate = DEFAULT_TEMPLATE, templates = {} } = this.options;
    return template === undefined ? defaultTemplate : (templates[template] ?? defaultTemplate);
  }
}
