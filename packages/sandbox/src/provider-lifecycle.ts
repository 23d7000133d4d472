import type { ReapReport, SandboxSession } from './contract.js';
import { SandboxError } from './sandbox-error.js';

const REAP_EVERY_MS = 60_000;

export interface LifecycleOptions {
  reapEveryMs?: number;
  onProblem?: ((message: string, cause?: unknown) => void) | undefined;
}

/** The sandboxes that a provider creates and has, its periodic reap, and the order in which it closes. */
export class ProviderLifecycle {
  /** By id. Undefined: it exists and has no session yet. */
  readonly live = new Map<string, SandboxSession | undefined>();
  readonly #creations = new Set<Promise<SandboxSession>>();
  readonly #reaper: NodeJS.Timeout;
  #isClosed = false;

  constructor(reap: () => Promise<ReapReport>, { reapEveryMs, onProblem }: LifecycleOptions) {
    const run = () => void reap().catch((error) => onProblem?.('sandbox reap failed', error));
    this.#reaper = setInterval(run, reapEveryMs ?? REAP_EVERY_MS).unref();
  }

  get isCreating(): boolean {
    return this.#creations.size > 0;
  }

  /** A close waits for the creation. */
  track(creation: Promise<SandboxSession>): Promise<SandboxSession> {
    this.#creations.add(creation);
    const forget = () => this.#creations.delete(creation);
    creation.then(forget, forget);
    return creation;
  }

  /** Throws when the creation was aborted or the provider is closed: to be called after everything it waits for. */
  checkOpen(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new SandboxError('unavailable', 'the sandbox provider is closed');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#reaper);
    await Promise.allSettled(this.#creations);
    await Promise.all([...this.live.values()].map((session) => session?.destroy()));
  }
}
