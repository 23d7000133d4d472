import { setTimeout as pause } from 'node:timers/promises';
import { SandboxError } from '../sandbox-error.js';
import type { Engine } from './engine.js';
import { hasStatus } from './engine-error.js';
import type { ContainerDetails } from './engine-objects.js';

const INTERVAL_MS = 1_000;
/** A root of very many files takes the daemon long to measure. */
const SHARE_OF_TIME = 10;
const REMOVAL_POLLS = 100;
const REMOVAL_POLL_MS = 100;

/** Ends a build whose step writes more than its disk. */
export class BuildWatch {
  readonly #containers = new Set<string>();
  #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(
    private readonly engine: Engine,
    private readonly bytesMax: number,
    private readonly onProblem: (error: SandboxError) => void,
  ) {
    this.#timer = this.#schedule(INTERVAL_MS);
  }

  /** The builder names the container of each step. Commands may print the same: those are measured, too. */
  onLine(line: string): void {
    const [, id] = /^ ---> Running in ([0-9a-f]{12})$/.exec(line) ?? [];
    if (id !== undefined) this.#containers.add(id);
  }

  /** The daemon removes the last container of a build that was cut off; this waits until it has. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (let polls = 0; polls < REMOVAL_POLLS && this.#containers.size > 0; polls++) {
      await Promise.all([...this.#containers].map((id) => this.#sizeOf(id)));
      if (this.#containers.size > 0) await pause(REMOVAL_POLL_MS);
    }
  }

  #schedule(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), ms).unref();
  }

  async #look(): Promise<void> {
    const startedAt = performance.now();
    const sizes = await Promise.all([...this.#containers].map((id) => this.#sizeOf(id)));
    if (this.#isClosed) return;
    if (sizes.some((bytes) => bytes > this.bytesMax)) {
      const message = `the build failed: it needs more than the ${this.bytesMax} bytes of disk that a step has`;
      this.onProblem(new SandboxError('invalid_image', message));
      return;
    }
    this.#timer = this.#schedule(Math.max(INTERVAL_MS, SHARE_OF_TIME * (performance.now() - startedAt)));
  }

  /** Forgets a step that has ended. */
  async #sizeOf(id: string): Promise<number> {
    const query = { size: this.#isClosed ? '0' : '1' };
    try {
      const { SizeRw = 0 } = await this.engine.get<ContainerDetails>(`/containers/${id}/json`, { query });
      return SizeRw;
    } catch (error) {
      if (hasStatus(error, 404)) this.#containers.delete(id);
      return 0;
    }
  }
}
