import type { SandboxDeath, SandboxStats } from '../contract.js';
import { LeasedClient } from '../inside/leased-client.js';
import { LEASE_EXIT } from '../inside/lifetime.js';
import type { SessionHost } from '../inside/session.js';
import type { KubernetesApi } from './api.js';
import { type ExecEnd, ExecLink } from './exec-link.js';
import { ANNOTATION } from './objects.js';
import { CONTAINER, FILTER_PATH, INSIDE_PATH } from './pod.js';
import { removePod } from './pods.js';

/** The lease in the cluster is looked at by sweepers only, so it need not be exact. */
const ANNOTATE_EVERY_MS = 15_000;
const LEASE_SLACK_MS = 60_000;

/** All that one sandbox holds in the cluster. */
export class PodSandbox implements SessionHost {
  #link: ExecLink | undefined;
  #inside: LeasedClient | undefined;
  #isEnding = false;
  #annotatedAt = performance.now();

  constructor(
    readonly id: string,
    private readonly api: KubernetesApi,
    private readonly onProblem: (message: string, cause?: unknown) => void,
  ) {}

  /** Starts the process inside, over the one stream of this sandbox. `pids`: 0 where the node limits them. */
  async connect({
    pids,
    leaseMs,
  }: {
    pids: number;
    leaseMs: number;
  }): Promise<{ inside: LeasedClient; link: ExecLink }> {
    const command = [INSIDE_PATH, 'confined', FILTER_PATH, String(pids), String(Math.floor(leaseMs))];
    const link = new ExecLink(await this.api.exec(this.id, CONTAINER, command), () => this.#remove());
    this.#link = link;
    const inside = new LeasedClient(link, (ms) => this.#annotate(ms));
    this.#inside = inside;
    return { inside, link };
  }

  async stats(): Promise<SandboxStats> {
    return (await this.#inside?.figures()) ?? {};
  }

  /** The process inside reports it with the exit of a command. */
  oomKills(): undefined {
    return undefined;
  }

  kill(): void {
    this.#isEnding = true;
    this.#link?.close();
    this.#remove();
  }

  async destroy(): Promise<void> {
    this.#isEnding = true;
    this.#link?.close();
    await removePod(this.api, this.id);
    await this.#link?.ended;
  }

  /** What ended it, where that is known at once; otherwise the cluster has to be queried. */
  knownDeath({ exitCode }: ExecEnd): SandboxDeath | undefined {
    if (exitCode === LEASE_EXIT) return 'lease_expired';
    return this.#isEnding ? 'killed' : undefined;
  }

  async findDeath(): Promise<SandboxDeath> {
    const pod = await this.api.getPod(this.id).catch(() => undefined);
    const reasons = pod?.status?.containerStatuses?.map(({ state }) => state?.terminated?.reason);
    return reasons?.includes('OOMKilled') ? 'oom' : 'killed';
  }

  #remove(): void {
    this.api.deletePod(this.id).catch((error) => this.onProblem(`pod ${this.id} is not deleted yet`, error));
  }

  #annotate(leaseMs: number): void {
    if (performance.now() - this.#annotatedAt < ANNOTATE_EVERY_MS) return;
    this.#annotatedAt = performance.now();
    const leaseUntil = new Date(this.api.now() + leaseMs + LEASE_SLACK_MS).toISOString();
    this.api
      .annotatePod(this.id, { [ANNOTATION.leaseUntil]: leaseUntil })
      .catch((error) => this.onProblem(`the lease of pod ${this.id} is not renewed in the cluster`, error));
  }
}
