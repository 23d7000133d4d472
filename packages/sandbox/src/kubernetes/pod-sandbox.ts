import { rootArguments } from '../bubblewrap/arguments.js';
import type { SandboxDeath, SandboxStats } from '../contract.js';
import type { PreparedImage } from '../image.js';
import { firstInsideLeaseMs, LEASE_EXIT } from '../inside/lifetime.js';
import {
  type Connection,
  INSIDE_PATH,
  LEASE_SLACK_MS,
  LeasedClient,
  type LinkEnd,
  type RemoteSandbox,
} from '../remote/remote-sandbox.js';
import type { ResolvedSpec } from '../resolved-spec.js';
import type { KubernetesApi } from './api.js';
import { ExecLink } from './exec-link.js';
import { ANNOTATION } from './objects.js';
import { CONTAINER, FILTER_PATH } from './pod.js';
import type { PodManifest, PodObjects } from './pod-objects.js';
import { removePod, startPod } from './pods.js';

/** The lease in the cluster is looked at by sweepers only, so it need not be exact. */
const ANNOTATE_EVERY_MS = 15_000;

export interface PodPlan {
  manifest: PodManifest;
  objects: PodObjects;
  /** The limit of processes that the process inside sets. 0: the node limits them. */
  pids: number;
  /** Maximum time until the pod runs, image pull included. */
  startTimeoutMs: number;
  image?: PreparedImage | undefined;
}

/** All that one sandbox holds in the cluster. */
export class PodSandbox implements RemoteSandbox {
  #link: ExecLink | undefined;
  #inside: LeasedClient | undefined;
  #isEnding = false;
  #annotatedAt = performance.now();

  constructor(
    readonly id: string,
    private readonly plan: PodPlan,
    private readonly api: KubernetesApi,
    private readonly onProblem: (message: string, cause?: unknown) => void,
  ) {}

  get image(): PreparedImage | undefined {
    return this.plan.image;
  }

  /** The process inside is reached over the one stream of this sandbox. */
  async connect(spec: ResolvedSpec, signal: AbortSignal | undefined): Promise<Connection> {
    const { manifest, pids, startTimeoutMs } = this.plan;
    const timeout = AbortSignal.timeout(startTimeoutMs);
    await startPod(this.api, manifest, {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      image: spec.image?.reference,
      objects: this.plan.objects,
    });
    const leaseMs = Math.floor(firstInsideLeaseMs(spec));
    const onRoot = spec.image === undefined ? [] : rootArguments(spec, spec.image);
    const command = [INSIDE_PATH, ...onRoot, 'confined', FILTER_PATH, String(pids), String(leaseMs)];
    const link = new ExecLink(await this.api.exec(this.id, CONTAINER, command), () => this.#remove());
    this.#link = link;
    const inside = new LeasedClient(link, (ms) => this.#annotate(ms));
    this.#inside = inside;
    return { inside, ended: link.ended };
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
    await removePod(this.api, this.id, this.plan.objects);
    await this.#link?.ended;
  }

  async deathOf({ exitCode }: LinkEnd): Promise<SandboxDeath> {
    if (exitCode === LEASE_EXIT) return 'lease_expired';
    if (this.#isEnding) return 'killed';
    const pod = await this.api.getPod(this.id).catch(() => undefined);
    const reasons = pod?.status?.containerStatuses?.map(({ state }) => state?.terminated?.reason);
    return reasons?.includes('OOMKilled') ? 'oom' : 'killed';
  }

  #remove(): void {
    this.plan.objects
      .delete(this.id)
      .catch((error) => this.onProblem(`deletion of pod ${this.id} failed`, error));
  }

  #annotate(leaseMs: number): void {
    if (performance.now() - this.#annotatedAt < ANNOTATE_EVERY_MS) return;
    this.#annotatedAt = performance.now();
    const leaseUntil = new Date(this.api.now() + leaseMs + LEASE_SLACK_MS);
    this.plan.objects
      .renew(this.id, leaseUntil, { [ANNOTATION.leaseUntil]: leaseUntil.toISOString() })
      .catch((error) => this.onProblem(`lease renewal of pod ${this.id} failed`, error));
  }
}
