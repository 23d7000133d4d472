import { setTimeout as pause } from 'node:timers/promises';
import { rootArguments } from '../bubblewrap/arguments.js';
import type { SandboxDeath, SandboxStats } from '../contract.js';
import type { PreparedImage } from '../image.js';
import { withoutCpuTime } from '../inside/client.js';
import { firstInsideLeaseMs, LEASE_EXIT } from '../inside/lifetime.js';
import {
  type Connection,
  LEASE_SLACK_MS,
  LeasedClient,
  type LinkEnd,
  type RemoteSandbox,
} from '../remote/remote-sandbox.js';
import type { ResolvedSpec } from '../resolved-spec.js';
import type { KubernetesApi } from './api.js';
import { ExecLink } from './exec-link.js';
import { ANNOTATION, type KubernetesPod, ownStatus } from './objects.js';
import type { KubernetesOptions } from './options.js';
import { FILTER_PATH } from './pod.js';
import type { PodManifest, PodObjects } from './pod-objects.js';
import { removePod, startPod } from './pods.js';
import { insideCommand } from './streams.js';

/** The lease in the cluster is looked at by sweepers only, so it need not be exact. */
const ANNOTATE_EVERY_MS = 15_000;
/** The stream ends shortly before the node has reported the end of the container. */
const END_POLLS = 15;
const END_POLL_MS = 200;

export interface PodPlan {
  manifest: PodManifest;
  objects: PodObjects;
  /** The limit of processes that the process inside sets. 0: the node limits them. */
  pids: number;
  /** Maximum time until the pod runs, image pull included. */
  startTimeoutMs: number;
  options: KubernetesOptions;
  image?: PreparedImage | undefined;
}

/** All that one sandbox holds in the cluster. */
export class PodSandbox implements RemoteSandbox {
  #link: ExecLink | undefined;
  #inside: LeasedClient | undefined;
  #isEnding = false;
  #startedAt: number | undefined;
  #annotatedAt = performance.now();
  #last: KubernetesPod | undefined;

  constructor(
    readonly id: string,
    private readonly plan: PodPlan,
    private readonly api: KubernetesApi,
    private readonly onProblem: (message: string, cause?: unknown) => void,
  ) {}

  get image(): PreparedImage | undefined {
    return this.plan.image;
  }

  /** Waits until the pod runs. The process inside, and with it the sandbox, begins with `connect`. */
  async start(signal?: AbortSignal): Promise<void> {
    const { manifest, startTimeoutMs, image, objects } = this.plan;
    const timeout = AbortSignal.timeout(startTimeoutMs);
    await startPod(this.api, manifest, {
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      image: image?.reference,
      objects,
    });
    this.#startedAt = performance.now();
  }

  /** That its pod, which may have waited for a sandbox, runs and began no longer ago than this. */
  async isReady(ageMsMax: number): Promise<boolean> {
    if (this.#startedAt === undefined || performance.now() - this.#startedAt > ageMsMax) return false;
    const pod = await this.api.getPod(this.id).catch(() => undefined);
    return pod !== undefined && hasRunning(pod);
  }

  /** The process inside is reached over the one stream of this sandbox. */
  async connect(spec: ResolvedSpec, signal: AbortSignal | undefined): Promise<Connection> {
    if (this.#startedAt === undefined) await this.start(signal);
    else await this.#claim(spec);
    const { pids, options } = this.plan;
    const leaseMs = Math.floor(firstInsideLeaseMs(spec));
    const onRoot = spec.image === undefined ? [] : rootArguments(spec, spec.image);
    const words = [...onRoot, 'confined', FILTER_PATH, String(pids), String(leaseMs)];
    const { container, command } = insideCommand(options, words);
    const link = new ExecLink(await this.api.exec(this.id, container, command), () => this.#remove());
    this.#link = link;
    const inside = new LeasedClient(link, (ms) => this.#annotate(ms));
    this.#inside = inside;
    return { inside, ended: link.ended.then((end) => this.#explained(end)) };
  }

  async stats(): Promise<SandboxStats> {
    const figures = (await this.#inside?.figures()) ?? {};
    return this.plan.options.isStronglyIsolated ? withoutCpuTime(figures) : figures;
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
    const reasons = this.#last?.status?.containerStatuses?.map(({ state }) => state?.terminated?.reason);
    return reasons?.includes('OOMKilled') ? 'oom' : 'killed';
  }

  /** With what the cluster reports of an end that it has caused, such as an eviction. */
  async #explained(end: LinkEnd): Promise<LinkEnd> {
    for (let polls = 0; polls < END_POLLS && !this.#isEnding && end.exitCode !== LEASE_EXIT; polls++) {
      this.#last = await this.api.getPod(this.id).catch(() => undefined);
      const { reason, message = '' } = this.#last?.status ?? {};
      if (reason !== undefined) return { ...end, detail: `${reason}: ${message}` };
      if (this.#last === undefined || !hasRunning(this.#last)) break;
      await pause(END_POLL_MS);
    }
    return end;
  }

  /** A pod that has waited gets what the pod of a sandbox has from its start. */
  async #claim({ labels, leaseMs }: ResolvedSpec): Promise<void> {
    const leaseUntil = new Date(this.api.now() + leaseMs + LEASE_SLACK_MS);
    this.#annotatedAt = performance.now();
    await this.plan.objects.renew(this.id, leaseUntil, {
      [ANNOTATION.leaseUntil]: leaseUntil.toISOString(),
      [ANNOTATION.runId]: labels.runId,
      [ANNOTATION.attemptId]: labels.attemptId,
    });
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

function hasRunning({ status }: KubernetesPod): boolean {
  return ownStatus(status)?.state?.running !== undefined;
}
