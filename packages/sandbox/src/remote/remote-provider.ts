import { baseEnvironment } from '../bubblewrap/image-roots.js';
import type {
  IsolationLevel,
  ReapReport,
  SandboxCapabilities,
  SandboxProvider,
  SandboxSession,
} from '../contract.js';
import { EXPOSED_EXIT } from '../inside/lifetime.js';
import { exposeListeners } from '../inside/proxy.js';
import { InsideSession } from '../inside/session.js';
import { type LifecycleOptions, ProviderLifecycle } from '../provider-lifecycle.js';
import { type ResolvedSpec, resolveSpec } from '../resolved-spec.js';
import { isSandboxError, SandboxError, startFailure } from '../sandbox-error.js';
import type { SandboxSpec } from '../spec.js';
import type { LinkEnd, RemoteSandbox } from './remote-sandbox.js';

/** Sandboxes on machines of a service: what the providers have in common from the spec to the session. */
export abstract class RemoteSandboxProvider implements SandboxProvider {
  abstract readonly name: string;
  abstract readonly capabilities: SandboxCapabilities;
  readonly isolation: IsolationLevel = 'full';
  protected readonly lifecycle: ProviderLifecycle;
  protected readonly onProblem: (message: string, cause?: unknown) => void;

  constructor(options: LifecycleOptions) {
    this.lifecycle = new ProviderLifecycle(() => this.reap(), options);
    this.onProblem = (message, cause) => options.onProblem?.(message, cause);
  }

  abstract reap(): Promise<ReapReport>;
  abstract installedPackages(template?: string): Promise<ReadonlySet<string>>;
  /** Rejects a spec that the service cannot meet; otherwise a sandbox for it, which may not run yet. */
  protected abstract allocate(spec: ResolvedSpec, signal: AbortSignal | undefined): Promise<RemoteSandbox>;

  create(spec: SandboxSpec, options: { signal?: AbortSignal } = {}): Promise<SandboxSession> {
    return this.lifecycle.track(this.#create(spec, options.signal));
  }

  installsPackages(): boolean {
    return this.capabilities.packages;
  }

  close(): Promise<void> {
    return this.lifecycle.close();
  }

  async #create(spec: SandboxSpec, signal: AbortSignal | undefined): Promise<SandboxSession> {
    this.lifecycle.checkOpen(signal);
    const resolved = resolveSpec(spec);
    return await this.open(resolved, await this.allocate(resolved, signal), signal);
  }

  protected async open(
    resolved: ResolvedSpec,
    sandbox: RemoteSandbox,
    signal: AbortSignal | undefined,
  ): Promise<SandboxSession> {
    this.lifecycle.live.set(sandbox.id, undefined);
    try {
      const session = await this.#connect(resolved, sandbox, signal);
      this.lifecycle.checkOpen(signal);
      return session;
    } catch (error) {
      await this.#clean(sandbox);
      this.lifecycle.checkOpen(signal);
      if (error instanceof SandboxError) throw error;
      throw startFailure(error);
    }
  }

  async #connect(
    spec: ResolvedSpec,
    sandbox: RemoteSandbox,
    signal: AbortSignal | undefined,
  ): Promise<SandboxSession> {
    const { inside, ended } = await sandbox.connect(spec, signal);
    const session = new InsideSession(sandbox.id, this.name, inside, sandbox, {
      ...spec,
      baseEnv: baseEnvironment(spec, sandbox.image),
    });
    this.lifecycle.live.set(sandbox.id, session);
    void ended.then(async (end) => {
      session.onEnded(await sandbox.deathOf(end), end.detail, end.message);
      await this.#clean(session);
    });
    await inside.ready.catch(async (error: unknown) => {
      // One that does not respond has not ended, and may never.
      const known = isSandboxError(error, 'timeout') ? undefined : startError(await ended, spec);
      throw known ?? startFailure(error);
    });
    await exposeListeners(inside, spec);
    await refuseLinks(session, spec);
    return session;
  }

  /** Remaining sandboxes are removed by a reap, or by the service when their lease ends. */
  async #clean(sandbox: { id: string; destroy(): Promise<void> }): Promise<void> {
    await sandbox
      .destroy()
      .catch((cause) => this.onProblem(`removal of sandbox ${sandbox.id} failed`, cause));
    this.lifecycle.live.delete(sandbox.id);
  }
}

/** Why the process inside could not begin; undefined where its cause is not known. */
function startError({ exitCode, detail }: LinkEnd, { image }: ResolvedSpec): SandboxError | undefined {
  if (exitCode === EXPOSED_EXIT) {
    return new SandboxError('unavailable', 'code in a sandbox could forge results on this runtime', {
      cause: new Error(detail),
      fix: 'where pods run on gVisor, name its class in SANDBOX_RUNTIME_CLASS, also where it is the default of the nodes (docs/sandbox.md)',
    });
  }
  const [, reason] = /the root of the image: (.*)/.exec(detail) ?? [];
  if (image === undefined || reason === undefined) return undefined;
  const message = `the image ${image.reference} cannot be used: a directory of the sandbox cannot be made in it (${reason})`;
  return new SandboxError('invalid_image', message, {
    fix: 'build it with directories, and neither links nor files, at the workspace and the home of its user',
  });
}

/** Runtimes follow the links of an image where they mount directories. */
async function refuseLinks(session: SandboxSession, { image, directories }: ResolvedSpec): Promise<void> {
  if (image === undefined) return;
  for (const { path } of directories) {
    await session.stat(path, { roots: [path] }).catch((cause: unknown) => {
      if (!isSandboxError(cause, 'not_permitted')) throw cause;
      const message = `the image ${image.reference} cannot be used: a link in it leads ${path} elsewhere`;
      throw new SandboxError('invalid_image', message, { fix: 'build it with directories there' });
    });
  }
}
