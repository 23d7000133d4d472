import type { ImageBuild, ImageProgress, PrepareOptions } from '../image.js';
import { AbandonableWork } from '../packages/shared-work.js';
import { SandboxError } from '../sandbox-error.js';

/** Ends a build that runs, and takes its progress. */
export interface RunningBuild {
  signal: AbortSignal;
  onProgress: (progress: ImageProgress) => void;
}

/** Builds of a provider: each key once at a time for all who wait for it, and as many keys at the same time as given. */
export class SharedBuilds {
  readonly #shared = new AbandonableWork<string, ImageProgress>();
  readonly #live = new Set<Promise<unknown>>();
  readonly #stop = new AbortController();
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(private readonly atOnce: number) {}

  /** The result of `work`, which runs when its turn comes. */
  async do(
    { key }: Pick<ImageBuild, 'key'>,
    options: PrepareOptions,
    work: (running: RunningBuild) => Promise<string>,
  ): Promise<string> {
    const start = (abandoned: AbortSignal, onProgress: RunningBuild['onProgress']) => {
      const signal = AbortSignal.any([this.#stop.signal, abandoned]);
      const result = this.#inTurn(() => {
        signal.throwIfAborted();
        return work({ signal, onProgress });
      });
      this.#live.add(result);
      const forget = () => this.#live.delete(result);
      result.then(forget, forget);
      return result;
    };
    return await this.#shared.do(key, start, options);
  }

  /** Ends the builds that run, and resolves when all have ended. */
  async close(): Promise<void> {
    this.#stop.abort(new SandboxError('unavailable', 'the sandboxes are being closed'));
    await Promise.allSettled(this.#live);
  }

  async #inTurn(work: () => Promise<string>): Promise<string> {
    while (this.#running >= this.atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#running += 1;
    try {
      return await work();
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}

/** A Dockerfile requires a network where builds have none; `fix` is the next step. */
export function refuseNetwork(fix: string): never {
  throw new SandboxError('unsupported', 'builds have no network here', {
    capability: 'networkInBuilds',
    fix,
  });
}
